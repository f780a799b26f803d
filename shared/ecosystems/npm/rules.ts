import {
  joinNames,
  type PurlName,
  type PurlRules,
  splitName,
  toWrittenVersion,
} from '../purl-rule.ts';
import { keepAsWritten, type TextRule, type VersionOrder } from '../text-rule.ts';
import { compareSemver, isSemverPrerelease, normalizeSemver } from './semver-order.ts';

const namePattern = /^(?:@[A-Za-z0-9_~-][A-Za-z0-9._~-]*\/)?[A-Za-z0-9~][A-Za-z0-9._~-]*$/;
const maxNameLength = 214;

/** The pattern that semver.org publishes for SemVer 2.0.0. */
const semver =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-((?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?(?:\+([0-9a-zA-Z-]+(?:\.[0-9a-zA-Z-]+)*))?$/;

/** Returns a version without its build metadata, which SemVer ignores. */
const dropBuild = (version: string): string => version.split('+', 1)[0] ?? version;

export const name: TextRule = {
  pattern: namePattern,
  maxLength: maxNameLength,
  explanation: `an npm name such as "lodash" or "@types/node", at most ${maxNameLength} characters`,
  canonical: keepAsWritten,
};

export const version: TextRule = {
  pattern: semver,
  maxLength: 256,
  explanation: 'a SemVer version with three numbers, such as "4.17.21" or "1.0.0-beta.2"',
  canonical: dropBuild,
};

export const versionOrder: VersionOrder = {
  normalize: normalizeSemver,
  compare: compareSemver,
  isPrerelease: isSemverPrerelease,
};

export const purls: PurlRules = {
  npm: {
    toName: ({ namespace, name: last }) => joinNames('/', namespace, last),
    toVersion: toWrittenVersion,
  },
};

export const toPurlName = (canonicalName: string): PurlName => ({
  type: 'npm',
  ...splitName('/', canonicalName),
});

export const osvName = 'npm';
export const hasEqualSeparators = false;
export const hasHashedLockfiles = true;
export const hasUnnamedFileHosts = false;
export const isElsewhere = undefined;
export const shortenName = undefined;

/** Removes the suffix of JavaScript: `zustand.js` is no package of the authors of `zustand`. */
export const dropNameAffix = (lowerCaseName: string): string =>
  lowerCaseName.replace(/(?<=.)[-._]?js$/, '');
