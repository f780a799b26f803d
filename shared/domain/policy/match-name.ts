import type { Ecosystem } from '../packages/ecosystem.ts';
import { canonicalizeName, hubHost, isHubImage } from '../packages/package-name.ts';

/**
 * Whether a text is what a pattern says, in which `*` stands for any characters, or none. In one pass, whatever the
 * pattern: a regular expression of many stars may take for ever.
 */
const matchesGlob = (pattern: string, text: string): boolean => {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first) || text.length < first.length + last.length) return false;
  const end = text.length - last.length;
  let at = first.length;
  for (const piece of rest) {
    const found = text.indexOf(piece, at);
    if (found < 0 || found + piece.length > end) return false;
    at = found + piece.length;
  }
  return text.endsWith(last);
};

const official = /^library\/[^/]+$/;

/** Whether a pattern that names Docker Hub, or its official images, leaves an image out that is none of these. */
const isElsewhere = (pattern: string, canonicalName: string): boolean => {
  const written = pattern.toLowerCase();
  if (hubHost.test(written) && !isHubImage(canonicalName)) return true;
  return official.test(written.replace(hubHost, '')) && canonicalName.includes('/');
};

/** Whether a pattern of a rule matches a package. Spellings that are equal in an ecosystem match alike. */
export const matchesName = (
  pattern: string,
  { ecosystem, name }: { readonly ecosystem: Ecosystem; readonly name: string },
): boolean => {
  const canonicalName = canonicalizeName(ecosystem, name);
  if (ecosystem === 'docker' && isElsewhere(pattern, canonicalName)) return false;
  return matchesGlob(canonicalizeName(ecosystem, pattern), canonicalName);
};
