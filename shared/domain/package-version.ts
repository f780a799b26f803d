import type { Ecosystem } from './ecosystem.ts';
import { canonicalPep440 } from './pep440.ts';

/** How one ecosystem writes versions: what is allowed, in words and as a test, and which spellings are the same version. */
interface VersionRule {
  readonly maxLength: number;
  readonly allows: (version: string) => boolean;
  readonly explanation: string;
  readonly canonical: (version: string) => string;
}

const unsafe = /[^!-~]|[%?#\\]|\.\.|\/\//;

/** The pattern that semver.org publishes for SemVer 2.0.0. */
const semver =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-((?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?(?:\+([0-9a-zA-Z-]+(?:\.[0-9a-zA-Z-]+)*))?$/;
const mavenVersion = /^[^\\/:"<>|?*[\](){},\s]+$/;
const dockerTag = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,127}$/;
const dockerDigest = /^sha256:[0-9a-f]{64}$/;

const withoutBuild = (version: string): string => version.replace(/\+.*$/, '');
const asWritten = (version: string): string => version;

const rules: Readonly<Record<Ecosystem, VersionRule>> = {
  pypi: {
    maxLength: 255,
    allows: (version) => canonicalPep440(version) !== undefined,
    explanation: 'a PEP 440 version, such as "2.31.0" or "1.0rc1"',
    canonical: (version) => canonicalPep440(version) ?? version,
  },
  npm: {
    maxLength: 256,
    allows: (version) => semver.test(version),
    explanation: 'a SemVer version with three numbers, such as "4.17.21" or "1.0.0-beta.2"',
    canonical: withoutBuild,
  },
  maven: {
    maxLength: 255,
    allows: (version) => mavenVersion.test(version),
    explanation: 'a Maven version without blanks or any of \\ / : " < > | ? * [ ] ( ) { } ,',
    canonical: asWritten,
  },
  docker: {
    maxLength: 255,
    allows: (version) => dockerTag.test(version) || dockerDigest.test(version),
    explanation: 'a tag such as "1.27-alpine", or "sha256:" and 64 hexadecimal digits',
    canonical: asWritten,
  },
};

/** Whether `version` can be a version of a package of that ecosystem. */
export const isPackageVersion = (ecosystem: Ecosystem, version: string): boolean =>
  version.length <= rules[ecosystem].maxLength &&
  !unsafe.test(version) &&
  rules[ecosystem].allows(version);

/** What a version of that ecosystem looks like, to complete the sentence "must be …". */
export const packageVersionRule = (ecosystem: Ecosystem): string => {
  const { explanation, maxLength } = rules[ecosystem];
  return `${explanation}; ASCII only, at most ${maxLength} characters, without "..", "//", %, ?, # and \\`;
};

/** The one spelling that stands for every spelling of the same version in that ecosystem. */
export const canonicalVersion = (ecosystem: Ecosystem, version: string): string =>
  rules[ecosystem].canonical(version);

/**
 * A key that is the same for any two versions that are equal in some ecosystem, so that one read finds a version
 * whose ecosystem is not known. Different versions may share it: whoever reads by it checks the package key too.
 */
export const versionKey = (version: string): string => {
  const base = withoutBuild(version);
  return canonicalPep440(base) ?? base;
};
