import { joinNames, type PurlRules, toWrittenVersion } from '../purl-rule.ts';
import { keepAsWritten, type TextRule } from '../text-rule.ts';

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

export const purls: PurlRules = {
  maven: {
    toName: ({ namespace, name }) => joinNames(':', namespace, name),
    toVersion: toWrittenVersion,
  },
};

export const osvName = 'Maven';
export const hasEqualSeparators = false;
export const hasHashedLockfiles = false;
export const hasUnnamedFileHosts = false;
export const isElsewhere = undefined;
