import type { Ecosystem } from '../../ecosystems/ecosystem.ts';
import { nameRules } from '../../ecosystems/rules.ts';
import { matchesRule } from '../../ecosystems/text-rule.ts';

const maxLength = 255;

/** Returns true if `name` can be a package of that ecosystem. */
export const isPackageName = (ecosystem: Ecosystem, name: string): boolean =>
  matchesRule(nameRules[ecosystem], name);

/** Returns what a name of that ecosystem looks like, to complete the sentence "must be …". */
export const explainPackageName = (ecosystem: Ecosystem): string =>
  `${nameRules[ecosystem].explanation}; ASCII only, at most ${maxLength} characters, without "..", "//", %, ?, # and \\`;

/** Returns the one spelling that stands for every equal spelling of a name (PEP 503 for pypi). */
export const canonicalizeName = (ecosystem: Ecosystem, name: string): string =>
  nameRules[ecosystem].canonical(name);

/**
 * Returns a key that any two names share that are equal in some ecosystem, so that one read finds a name whose ecosystem
 * is not known. Different names may share it: callers compare the canonical name too.
 */
export const foldName = (name: string): string =>
  nameRules.pypi.canonical(nameRules.docker.canonical(name));
