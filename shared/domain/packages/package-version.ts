import { canonicalizePep440, pep440 } from '../../ecosystems/pypi/pep440.ts';
import type { Ecosystem } from './ecosystem.ts';
import { unsafeInPath } from './package-name.ts';

/** Grammar of versions in an ecosystem: the allowed characters, an explanation, and the canonical spelling. */
interface VersionRule {
  readonly maxLength: number;
  readonly pattern: RegExp;
  readonly explanation: string;
  readonly canonical: (version: string) => string;
}

/** Pattern of SemVer 2.0.0, as published by semver.org. */
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

/** True if `version` is a valid version of a package in the ecosystem. */
export const isPackageVersion = (ecosystem: Ecosystem, version: string): boolean =>
  version.length <= rules[ecosystem].maxLength &&
  !unsafeInPath.test(version) &&
  rules[ecosystem].pattern.test(version);

/** Returns the pattern and maximum length of versions in an ecosystem. Versions must also be safe in paths. */
export const findVersionRule = (ecosystem: Ecosystem): Pick<VersionRule, 'pattern' | 'maxLength'> =>
  rules[ecosystem];

/** Returns an explanation of valid versions, to complete the sentence "must be …". */
export const explainPackageVersion = (ecosystem: Ecosystem): string => {
  const { explanation, maxLength } = rules[ecosystem];
  return `${explanation}; ASCII only, at most ${maxLength} characters, without "..", "//", %, ?, # and \\`;
};

/** Returns the canonical spelling of a version, equal for all spellings of the same version. */
export const canonicalizeVersion = (ecosystem: Ecosystem, version: string): string =>
  rules[ecosystem].canonical(version);

/**
 * Returns a lookup key that is equal for versions that are equal in any ecosystem, to find a version without its
 * ecosystem. Different versions may have the same key, so callers must also compare the package key.
 */
export const foldVersion = (version: string): string => {
  const base = dropBuild(version);
  return canonicalizePep440(base) ?? base;
};
