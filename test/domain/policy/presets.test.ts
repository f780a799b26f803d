import { describe, expect, it } from 'vitest';
import { ReviewPolicy } from '../../../shared/api/schemas/policy.ts';
import { type Comparison, comparisonCodes } from '../../../shared/domain/changes/change-issues.ts';
import { applyRules } from '../../../shared/domain/policy/apply-rules.ts';
import type { PolicySubject } from '../../../shared/domain/policy/match-rule.ts';
import { findPreset, presetAgeDays, presetNames } from '../../../shared/domain/policy/presets.ts';
import { daysAgo, facts, now, ownSource, subject } from './example.ts';

const decide = (name: string, some: Partial<PolicySubject> = {}) => {
  const known: PolicySubject = {
    ...subject,
    license: 'approved',
    isUpstreamLicenseKnown: true,
    sources: [ownSource],
    facts: { ...facts, found: 'yes', published_at: daysAgo(30), deprecated: null, yanked: null },
    hasApprovedMajor: false,
    ...some,
  };
  const given = { subject: known, issues: [], requiresScan: false, minimumAgeDays: 0, now };
  const verdict = applyRules(findPreset(name) ?? { rules: [] }, given);
  return [verdict?.action, verdict?.rule?.name];
};

const reporting = {
  ...ownSource,
  finished: ownSource.finished && { ...ownSource.finished, malware: ['MAL-2026-2307'] },
};

const failed = { ...subject.merged_scan, status: 'failed' } as const;

it('approve nothing before the age of all presets', () => {
  const rules = presetNames.flatMap((name) => findPreset(name)?.rules ?? []);
  const approving = rules.filter(({ then }) => then === 'approve');

  expect(approving.map(({ when }) => when.minimum_age_days)).toEqual([7, 7, 7]);
  expect(presetAgeDays).toBe(7);
});

describe('presets', () => {
  it.each(presetNames)('%s is a valid policy', (name) => {
    expect(ReviewPolicy.safeParse(findPreset(name)).success).toBe(true);
  });

  it.each(['balanced@2', 'strict@1', 'observe@1'])('%s is the newest of its name', (name) => {
    expect(findPreset(name.split('@', 1)[0] ?? '')).toEqual(findPreset(name));
  });

  it.each(['', 'balanced@0', 'policy.json', 'constructor', '@1'])(
    'has none of the name %j',
    (name) => {
      expect(findPreset(name)).toBeUndefined();
    },
  );
});

it.each<[string, Partial<PolicySubject>, string[]]>([
  ['what is known to be good', {}, ['approve', 'of-age']],
  ['malware', { sources: [reporting], merged_scan: failed }, ['reject', 'malware']],
  [
    'malware that upstream has removed',
    { sources: [reporting], merged_scan: failed, facts: { ...facts, found: 'no' } },
    ['reject', 'malware'],
  ],
  ['a rejected license', { license: 'rejected' }, ['reject', 'license-rejected']],
  ['another license', { license: 'unreviewed' }, []],
  ['an unknown license', { license: null }, []],
  ['a submitted license alone', { isUpstreamLicenseKnown: false }, []],
  ['a failed scan', { merged_scan: failed }, ['hold', 'scan-failed']],
  ['no trusted scan', { sources: [] }, ['hold', 'scan-failed']],
  ['a young version', { facts: { ...facts, published_at: daysAgo(2) } }, []],
  ['a deprecated version', { facts: { ...facts, deprecated: 'old' } }, ['hold', 'withdrawn']],
  [
    'a name that upstream does not have',
    { facts: { ...facts, found: 'no' } },
    ['hold', 'not-found'],
  ],
  ['no upstream metadata', { facts: null }, []],
])('balanced@1 decides on %s', (_, some, expected) => {
  const [action, rule] = decide('balanced@1', some);

  expect(action ? [action, rule] : []).toEqual(expected);
});

describe('balanced@2', () => {
  const compared = (comparison: Comparison | undefined) => ({
    facts: { ...facts, published_at: daysAgo(30), comparison },
  });

  it.each(comparisonCodes)('leaves a version with %s to people', (code) => {
    const issues = [{ code, message: '' }];
    const [action, rule] = decide('balanced@2', compared({ since: '1.0.0', issues, unknown: [] }));

    expect(action).toBe('hold');
    expect(decide('balanced@1', compared({ since: '1.0.0', issues, unknown: [] }))).toEqual([
      'approve',
      'of-age',
    ]);
    expect(rule).toMatch(/^(?:new|other|lost|similar)-[a-z-]+$/);
  });

  it.each(comparisonCodes)('approves nothing if %s is unknown', (code) => {
    const unknown = compared({ since: '1.0.0', issues: [], unknown: [code] });

    expect(decide('balanced@2', unknown)).toEqual([null, undefined]);
  });

  it('approves a version without such issues, and none that was not compared', () => {
    const nothing = { since: null, issues: [], unknown: [] };

    expect(decide('balanced@2', compared(nothing))).toEqual(['approve', 'of-age']);
    expect(decide('balanced@2', compared(undefined))).toEqual([null, undefined]);
  });
});

it('strict@1 approves only versions of an approved major version', () => {
  expect(decide('strict@1')).toEqual([null, undefined]);
  expect(decide('strict@1', { hasApprovedMajor: true })).toEqual(['approve', 'known-major']);
});

it('observe@1 approves and rejects nothing', () => {
  expect(decide('observe@1')).toEqual(['hold', 'observe']);
  expect(decide('observe@1', { license: 'rejected' })).toEqual(['hold', 'observe']);
});
