import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findMajor } from '../../../shared/domain/packages/major-version.ts';
import { matchesName } from '../../../shared/domain/packages/match-name.ts';
import { matchRule, type PolicySubject } from '../../../shared/domain/policy/match-rule.ts';
import type { RuleConditions } from '../../../shared/domain/policy/rule.ts';
import { noCounts } from '../../../shared/domain/vulnerabilities/scan-summary.ts';
import { daysAgo, facts, mergedScan, now, subject } from './example.ts';

const counting = (counts: Partial<typeof noCounts>): PolicySubject['merged_scan'] => ({
  ...mergedScan,
  status: 'warning',
  severity: { ...noCounts, ...counts },
});

const unfound = { ...facts, found: 'no' } as const;

describe('a condition', () => {
  it.each<[string, RuleConditions, Partial<PolicySubject>, 'yes' | 'no' | 'unasked']>([
    ['that is not there', {}, {}, 'yes'],
    ['of the ecosystem', { ecosystems: ['pypi', 'npm'] }, {}, 'yes'],
    ['of another ecosystem', { ecosystems: ['pypi'] }, {}, 'no'],
    ['of the name', { names: ['lodash', '@types/*'] }, {}, 'yes'],
    ['of another name', { names: ['@typescript/*'] }, {}, 'no'],
    ['of the submitter', { submitters: ['ci'] }, {}, 'yes'],
    ['of another submitter', { submitters: ['ann'] }, {}, 'no'],
    ['of a submitter without a label', { submitters: ['ci'] }, { submitter: null }, 'no'],
    ['of the license', { license: ['conditional', 'approved'] }, {}, 'yes'],
    ['of another license', { license: ['rejected'] }, {}, 'no'],
    ['of no license', { license: ['unreviewed'] }, { license: null }, 'no'],
    ['of a scan', { scan: ['passed'] }, {}, 'yes'],
    ['of a worse scan', { scan: ['passed'] }, { merged_scan: counting({ low: 1 }) }, 'no'],
    [
      'of a scan that broke, which is missing',
      { scan: ['missing'] },
      { merged_scan: { ...mergedScan, status: 'error' } },
      'yes',
    ],
    [
      'of no scan',
      { scan: ['missing'] },
      { merged_scan: { ...mergedScan, status: 'missing' } },
      'yes',
    ],
    ['of nothing that counts', { worst: 'none' }, {}, 'yes'],
    ['of anything that counts', { worst: 'none' }, { merged_scan: counting({ low: 1 }) }, 'no'],
    [
      'of just the worst',
      { worst: 'medium' },
      { merged_scan: counting({ medium: 3, low: 1 }) },
      'yes',
    ],
    ['of something worse', { worst: 'medium' }, { merged_scan: counting({ high: 1 }) }, 'no'],
    [
      'of the worst of all',
      { worst: 'critical' },
      { merged_scan: counting({ critical: 1 }) },
      'yes',
    ],
    [
      'of a severity that nobody knows',
      { worst: 'critical' },
      { merged_scan: counting({ unrated: 1 }) },
      'no',
    ],
    [
      'of severities that no scan found',
      { worst: 'critical' },
      { merged_scan: { ...mergedScan, status: 'missing' } },
      'no',
    ],
    ['of an age that is reached', { minimum_age_days: 30 }, {}, 'yes'],
    [
      'of an age that nobody knows',
      { minimum_age_days: 1 },
      { facts: { ...facts, published_at: null } },
      'no',
    ],
    ['of an age, unasked', { minimum_age_days: 1 }, { facts: null }, 'no'],
    ['of what is found', { found: ['yes'] }, {}, 'yes'],
    ['of what is not', { found: ['no', 'unknown'] }, { facts: unfound }, 'yes'],
    ['of what nobody looked for', { found: ['unknown'] }, { facts: null }, 'no'],
    ['of no deprecation', { deprecated: false }, {}, 'yes'],
    [
      'of a deprecation without a reason',
      { deprecated: true },
      { facts: { ...facts, deprecated: '' } },
      'yes',
    ],
    [
      'of no deprecation, of what was yanked',
      { deprecated: false },
      { facts: { ...facts, yanked: 'broken' } },
      'no',
    ],
    ['of what was yanked', { deprecated: true }, { facts: { ...facts, yanked: '' } }, 'yes'],
    ['of a deprecation that nobody knows', { deprecated: false }, { facts: unfound }, 'no'],
    ['of no install scripts', { install_scripts: false }, {}, 'yes'],
    [
      'of install scripts',
      { install_scripts: false },
      { facts: { ...facts, install_scripts: true } },
      'no',
    ],
    [
      'of install scripts that nobody knows',
      { install_scripts: false },
      { facts: { ...facts, install_scripts: null } },
      'no',
    ],
    ['of no malware', { malware: false }, {}, 'yes'],
    ['of malware', { malware: true }, {}, 'no'],
    ['of an approved major', { approved_major: true }, {}, 'yes'],
    ['of a new major', { approved_major: false }, { hasApprovedMajor: false }, 'yes'],
    ['of a major', { approved_major: true }, { hasApprovedMajor: undefined }, 'unasked'],
    [
      'of a major that a tag has not',
      { approved_major: false },
      { ecosystem: 'docker', hasApprovedMajor: undefined },
      'no',
    ],
    [
      'of a major, of what does not match anyway',
      { approved_major: true, ecosystems: ['pypi'] },
      { hasApprovedMajor: undefined },
      'no',
    ],
    ['of all together', { ecosystems: ['npm'], found: ['yes'], scan: ['failed'] }, {}, 'no'],
  ])('%s', (_, when, some, expected) => {
    const match = matchRule({ when, then: 'approve' }, { ...subject, ...some }, now);

    expect(typeof match === 'string' ? match : 'no').toBe(expected);
  });

  it('is named if it is the first that does not hold', () => {
    const when = { ecosystems: ['npm'], license: ['rejected'], scan: ['failed'] } as const;

    expect(matchRule({ when, then: 'hold' }, subject, now)).toEqual({ unmet: 'scan' });
  });

  it('of an age says when it will be reached, to the millisecond', () => {
    const old = { when: { minimum_age_days: 7 }, then: 'approve' } as const;
    const young = { ...subject, facts: { ...facts, published_at: daysAgo(7, -1) } };

    expect(matchRule(old, young, now)).toEqual({
      unmet: 'minimum_age_days',
      from: '2026-06-15T12:00:00.001Z',
    });
    expect(matchRule(old, young, new Date(now.getTime() + 1))).toBe('yes');
  });
});

describe('a pattern of names', () => {
  it.each([
    ['lodash', 'npm', 'lodash', true],
    ['lodash', 'npm', 'lodash.merge', false],
    ['Lodash', 'npm', 'lodash', false],
    ['@types/*', 'npm', '@types/node', true],
    ['@types/*', 'npm', '@types-of/node', false],
    ['*', 'docker', 'ghcr.io/owner/image', true],
    ['org.apache.*:*', 'maven', 'org.apache.logging.log4j:log4j-core', true],
    ['org.apache.*:*', 'maven', 'org.apachefoo:bar', false],
    ['*-api', 'maven', 'org.slf4j:slf4j-api', true],
    ['a*a', 'npm', 'a', false],
    ['a*b*b', 'npm', 'a-b', false],
    ['a*b*c', 'npm', 'a-b-b-c', true],
    ['Zope.*', 'pypi', 'zope-interface', true],
    ['django_*', 'pypi', 'Django.Rest', true],
    ['library/ngin*', 'docker', 'nginx', true],
    ['docker.io/library/nginx', 'docker', 'nginx', true],
    ['docker.io/*', 'docker', 'grafana/loki', true],
    ['index.docker.io/*', 'docker', 'nginx', true],
    ['docker.io/*', 'docker', 'docker.io/ghcr.io/owner/image', true],
    ['docker.io/*', 'docker', 'ghcr.io/owner/image', false],
    ['library/*', 'docker', 'nginx', true],
    ['Docker.io/library/*', 'docker', 'grafana/loki', false],
    ['library/*', 'docker', 'ghcr.io/owner/image', false],
    ['a.c', 'npm', 'abc', false],
  ] as const)('%s, of %s, and %s', (pattern, ecosystem, name, expected) => {
    expect(matchesName(pattern, { ecosystem, name })).toBe(expected);
  });

  it('matches what a regular expression would', () => {
    const pieces = fc.constantFrom('a', 'b', 'ab', '*', '.', '/');
    const text = fc.array(pieces, { maxLength: 8 }).map((some) => some.join(''));
    fc.assert(
      fc.property(text, text, (pattern, given) => {
        const name = given.replaceAll('*', '');
        const escaped = pattern.replaceAll('.', '\\.').replaceAll('*', '.*');

        expect(matchesName(pattern, { ecosystem: 'npm', name })).toBe(
          new RegExp(`^${escaped}$`).test(name),
        );
      }),
    );
  });

  it('comes to an end for many stars, which a search that goes back would not', () => {
    const pattern = `${'*a'.repeat(127)}*b`;

    expect(matchesName(pattern, { ecosystem: 'npm', name: 'a'.repeat(214) })).toBe(false);
  });
});

it.each([
  ['npm', '1.2.3', '1'],
  ['npm', '0.1.0', '0'],
  ['pypi', '2024.01', '2024'],
  ['pypi', '007.1', '7'],
  ['maven', 'v12-rc1', '12'],
  ['maven', 'RELEASE', undefined],
  ['docker', '1.27', undefined],
] as const)('the major of %s %s is %s', (ecosystem, version, major) => {
  expect(findMajor(ecosystem, version)).toBe(major);
});
