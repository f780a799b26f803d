import type { Ecosystem } from '../../ecosystems/ecosystem.ts';
import { isElsewhere } from '../../ecosystems/rules.ts';
import { canonicalizeName } from './package-name.ts';

/**
 * True if a text matches a pattern in which `*` matches any characters. Linear time for every pattern: a regular
 * expression with many stars can take exponential time.
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

/** Returns true if a pattern matches a package's name. Spellings that are equal in an ecosystem match alike. */
export const matchesName = (
  pattern: string,
  { ecosystem, name }: { readonly ecosystem: Ecosystem; readonly name: string },
): boolean => {
  const canonicalName = canonicalizeName(ecosystem, name);
  if (isElsewhere[ecosystem]?.(pattern, canonicalName)) return false;
  return matchesGlob(canonicalizeName(ecosystem, pattern), canonicalName);
};
