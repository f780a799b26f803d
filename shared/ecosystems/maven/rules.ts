import {
  joinNames,
  type PurlName,
  type PurlRules,
  splitName,
  toWrittenVersion,
} from '../purl-rule.ts';
import { keepAsWritten, type TextRule, type VersionOrder } from '../text-rule.ts';
import { compareMavenVersions, isMavenPrerelease } from './compare-versions.ts';

export const name: TextRule = {
  pattern: /^[A-Za-z0-9_.-]+:[A-Za-z0-9_.-]+$/,
  maxLength: 255,
  explanation: 'group:artifact, such as "org.slf4j:slf4j-api"',
  canonical: keepAsWritten,
};

export const version: TextRule = {
  pattern: /^[^\\/:"<>|?*[\](){},\s]+$/,
  maxLength: 255,
  explanation: 'a Maven version without blanks or any of \\ / : " < > | ? * [ ] ( ) { } ,',
  canonical: keepAsWritten,
};

/** Spellings are never equal: Maven stores `1.0` and `1.0.0` as two artifacts, although their order is the same. */
export const versionOrder: VersionOrder = {
  normalize: (text) => text.trim() || undefined,
  compare: compareMavenVersions,
  isPrerelease: isMavenPrerelease,
};

/** Top-level domains of groups. Owners of `com.acme` often do not own `org.acme`. */
const topLevelDomain = /^(?:co|com|de|dev|io|me|net|org)\.(?=[^:])/;

export const purls: PurlRules = {
  maven: {
    toName: ({ namespace, name }) => joinNames(':', namespace, name),
    toVersion: toWrittenVersion,
  },
};

export const toPurlName = (canonicalName: string): PurlName => ({
  type: 'maven',
  ...splitName(':', canonicalName),
});

export const osvName = 'Maven';
export const hasEqualSeparators = false;
export const hasHashedLockfiles = false;
export const hasUnnamedFileHosts = false;
export const isElsewhere = undefined;

/** Removes the top-level domain of a group. */
export const dropNameAffix = (lowerCaseName: string): string =>
  lowerCaseName.replace(topLevelDomain, '');

/** Returns the artifact id: people write `log4j-core` without its group. */
export const shortenName = (canonicalName: string): string =>
  canonicalName.slice(canonicalName.indexOf(':') + 1);
