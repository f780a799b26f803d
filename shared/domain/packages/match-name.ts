import type { Ecosystem } from '../../ecosystems/ecosystem.ts';
import { isElsewhere } from '../../ecosystems/rules.ts';
import { matchesGlob } from '../../util/match-glob.ts';
import { canonicalizeName } from './package-name.ts';

/** Returns true if a pattern matches a package's name. Spellings that are equal in an ecosystem match alike. */
export const matchesName = (
  pattern: string,
  { ecosystem, name }: { readonly ecosystem: Ecosystem; readonly name: string },
): boolean => {
  const canonicalName = canonicalizeName(ecosystem, name);
  if (isElsewhere[ecosystem]?.(pattern, canonicalName)) return false;
  return matchesGlob(canonicalizeName(ecosystem, pattern), canonicalName);
};
