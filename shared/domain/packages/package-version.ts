import type { Ecosystem } from '../../ecosystems/ecosystem.ts';
import { versionRules } from '../../ecosystems/rules.ts';
import { matchesRule } from '../../ecosystems/text-rule.ts';

/** Returns true if `version` can be a version of a package of that ecosystem. */
export const isPackageVersion = (ecosystem: Ecosystem, version: string): boolean =>
  matchesRule(versionRules[ecosystem], version);

/** Returns what a version of that ecosystem looks like, to complete the sentence "must be …". */
export const explainPackageVersion = (ecosystem: Ecosystem): string => {
  const { explanation, maxLength } = versionRules[ecosystem];
  return `${explanation}; ASCII only, at most ${maxLength} characters, without "..", "//", %, ?, # and \\`;
};

/** Returns the one spelling that stands for every equal spelling of a version. */
export const canonicalizeVersion = (ecosystem: Ecosystem, version: string): string =>
  versionRules[ecosystem].canonical(version);

/**
 * Returns a key that any two versions share that are equal in some ecosystem, so that one read finds a version whose
 * ecosystem is not known. Different versions may share it: callers compare the package key too.
 */
export const foldVersion = (version: string): string =>
  versionRules.pypi.canonical(versionRules.npm.canonical(version));
