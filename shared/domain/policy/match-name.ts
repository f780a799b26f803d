import type { Ecosystem } from '../ecosystem.ts';
import { canonicalizeName } from '../package-name.ts';

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

/** Whether a pattern of a rule means a package, in whatever spelling its ecosystem takes for the same. */
export const matchesName = (
  pattern: string,
  { ecosystem, name }: { readonly ecosystem: Ecosystem; readonly name: string },
): boolean => matchesGlob(canonicalizeName(ecosystem, pattern), canonicalizeName(ecosystem, name));
