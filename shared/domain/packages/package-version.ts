import { canonicalizePep440, pep440 } from '../../ecosystems/pypi/pep440.ts';
import type { Ecosystem } from './ecosystem.ts';
import { unsafeInPath } from './package-name.ts';

/** How one ecosystem writes versions: what is allowed, in words and as a pattern, and which spellings are the same version. */
interface VersionRule {
  readonly maxLength: number;
  readonly pattern: RegExp;
  readonly explanation: string;
  readonly canonical: (version: string) => string;
}

/** The pattern that semver.org publishes for SemVer 2.0.0. */
const semver =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-((?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?(?:\+([0-9a-zA-Z-]+(?:\.[0-9a-zA-Z-]+)*))?$/;
const mavenVersion = /^[^\\/:"<>|?*[\](){},\s]+$/;
const dockerTagOrDigest = /^(?:[A-Za-z0-9_][A-Za-z0-9._-]{0,127}|sha256:[0-9a-f]{64})$/;

const dropBuild = (version: string): string => version.split('+', 1)[0] ?? version;
const keepAsWritten = (version: string): string => version;

const rules: Readonly<Record<Ecosystem, VersionRule>> = {
  pypi: {
    maxLength: 255,
    pattern: pep440,
    explanation: 'a PEP 440 version, such as "2.31.0" or "1.0rc1"',
    canonical: (version) => canonicalizePep440(version) ?? version,
  },
  npm: {
    maxLength: 256,
    pattern: semver,
    explanation: 'a SemVer version with three numbers, such as "4.17.21" or "1.0.0-beta.2"',
    canonical: dropBuild,
  },
  maven: {
    maxLength: 255,
    pattern: mavenVersion,
    explanation: 'a Maven version without blanks or any of \\ / : " < > | ? * [ ] ( ) { } ,',
    canonical: keepAsWritten,
  },
  docker: {
    maxLength: 255,
    pattern: dockerTagOrDigest,
    explanation: 'a tag such as "1.27-alpine", or "sha256:" and 64 hexadecimal digits',
    canonical: keepAsWritten,
  },
};

/** Whether `version` can be a version of a package of that ecosystem. */
export const isPackageVersion = (ecosystem: Ecosystem, version: string): boolean =>
  version.length <= rules[ecosystem].maxLength &&
  !unsafeInPath.test(version) &&
  rules[ecosystem].pattern.test(version);

/** What a version of that ecosystem matches, besides that nothing in it is unsafe in a path. */
export const findVersionRule = (ecosystem: Ecosystem): Pick<VersionRule, 'pattern' | 'maxLength'> =>
  rules[ecosystem];

/** What a version of that ecosystem looks like, to complete the sentence "must be …". */
export const explainPackageVersion = (ecosystem: Ecosystem): string => {
  const { explanation, maxLength } = rules[ecosystem];
  return `${explanation}; ASCII only, at most ${maxLength} characters, without "..", "//", %, ?, # and \\`;
};

/** The one spelling that stands for every spelling of the same version in that ecosystem. */
export const canonicalizeVersion = (ecosystem: Ecosystem, version: string): string =>
  rules[ecosystem].canonical(version);

/**
 * A key that is the same for any two versions that are equal in some ecosystem, so that one read finds a version
 * whose ecosystem is not known. Different versions may share it: whoever reads by it checks the package key too.
 */
export const foldVersion = (version: string): string => {
  const base = dropBuild(version);
  return canonicalizePep440(base) ?? base;
};
