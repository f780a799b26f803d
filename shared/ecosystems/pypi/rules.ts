import { type PurlName, type PurlRules, toWrittenVersion } from '../purl-rule.ts';
import type { TextRule, VersionOrder } from '../text-rule.ts';
import { canonicalizePep440, comparePep440, isPrerelease, pep440 } from './pep440.ts';

export const name: TextRule = {
  pattern: /^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$/,
  maxLength: 255,
  explanation: 'letters, digits, ".", "_" and "-", with a letter or digit at both ends',
  canonical: (name) => name.toLowerCase().replace(/[-_.]+/g, '-'),
};

export const version: TextRule = {
  pattern: pep440,
  maxLength: 255,
  explanation: 'a PEP 440 version, such as "2.31.0" or "1.0rc1"',
  canonical: (version) => canonicalizePep440(version) ?? version,
};

export const versionOrder: VersionOrder = {
  normalize: (text) => canonicalizePep440(text.trim()),
  compare: comparePep440,
  isPrerelease,
};

export const purls: PurlRules = {
  pypi: { toName: ({ name }) => name, toVersion: toWrittenVersion },
};

export const toPurlName = (canonicalName: string): PurlName => ({
  type: 'pypi',
  name: canonicalName,
});

export const osvName = 'PyPI';
export const hasEqualSeparators = true;
export const hasHashedLockfiles = true;
export const hasUnnamedFileHosts = true;
export const isElsewhere = undefined;
export const dropNameAffix = undefined;
export const shortenName = undefined;
