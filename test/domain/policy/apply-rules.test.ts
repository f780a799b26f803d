import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyRules } from '../../../shared/domain/policy/apply-rules.ts';
import type { PolicySubject } from '../../../shared/domain/policy/match-rule.ts';
import { listAwaited } from '../../../shared/domain/policy/readiness.ts';
import type { PolicyRule } from '../../../shared/domain/policy/rule.ts';
import type { ScanSource } from '../../../shared/domain/vulnerabilities/scan-source.ts';
import { daysAgo, facts, now, ownSource, subject } from './example.ts';

const rule = (name: string, some: Partial<PolicyRule> = {}): PolicyRule => ({
  name,
  when: {},
  then: 'approve',
  ...some,
});

const never = { ecosystems: ['docker'] } as const;
const blocking = [{ code: 'scan_failed', message: 'It failed.', blocks: true }] as const;
const harmless = [{ code: 'install_scripts', message: 'It has some.', blocks: false }] as const;

const apply = (
  rules: readonly PolicyRule[],
  some: Partial<PolicySubject> = {},
  issues: Parameters<typeof applyRules>[1]['issues'] = [],
  { requiresScan = false, minimumAgeDays = 0 } = {},
) => {
  const given = {
    subject: { ...subject, ...some },
    ...{ issues, requiresScan, minimumAgeDays, now },
  };
  const verdict = applyRules({ rules }, given);
  return verdict && [verdict.action, verdict.rule?.name ?? null, verdict.again?.at ?? null];
};

/** Published so many days ago. */
const aged = (days: number) => ({ facts: { ...facts, published_at: daysAgo(days) } });
const inDays = (days: number): string => daysAgo(-days);
const old = (days: number) => ({ when: { minimum_age_days: days } });

describe('rules', () => {
  it('decide nothing where there are none', () => {
    expect(apply([])).toEqual([null, null, null]);
  });

  it('decide by the first that matches', () => {
    const rules = [rule('a', { when: never }), rule('b', { then: 'reject' }), rule('c')];

    expect(apply(rules)).toEqual(['reject', 'b', null]);
  });

  it('end with the first that holds', () => {
    expect(apply([rule('a', { then: 'hold' }), rule('b')])).toEqual(['hold', 'a', null]);
  });

  it('never approve what something stands in the way of: it is held', () => {
    expect(apply([rule('a')], {}, blocking)).toEqual(['hold', 'a', null]);
    expect(apply([rule('a')], {}, harmless)).toEqual(['approve', 'a', null]);
    expect(apply([rule('a', { then: 'reject' })], {}, blocking)).toEqual(['reject', 'a', null]);
  });

  it('approve later what is only too young by the settings', () => {
    const tooYoung = { code: 'too_young', message: 'It is too young.', blocks: true } as const;
    const settings = { minimumAgeDays: 14 };

    expect(apply([rule('a', old(7))], aged(10), [tooYoung], settings)).toEqual([
      ...['hold', 'a', inDays(4)],
    ]);
    expect(apply([rule('a')], aged(10), [tooYoung, ...blocking], settings)).toEqual([
      ...['hold', 'a', null],
    ]);
    const unscanned = { ...aged(10), sources: [] };
    expect(apply([rule('a')], unscanned, [tooYoung], { ...settings, requiresScan: true })).toEqual([
      ...['hold', 'a', null],
    ]);
  });

  it('never approve without a scan that they trust where the settings want one', () => {
    const unscanned = { sources: [] };

    expect(apply([rule('a')], unscanned)).toEqual(['approve', 'a', null]);
    expect(apply([rule('a')], unscanned, [], { requiresScan: true })).toEqual(['hold', 'a', null]);
    expect(apply([rule('a')], {}, [], { requiresScan: true })).toEqual(['approve', 'a', null]);
    expect(apply([rule('a', { then: 'reject' })], unscanned, [], { requiresScan: true })).toEqual([
      ...['reject', 'a', null],
    ]);
  });

  it('tell when one matches that only lacks age, where none else decides', () => {
    const rules = [rule('a', old(30)), rule('b', old(7)), rule('c', { when: never })];

    expect(apply(rules, aged(5))).toEqual([null, null, inDays(2)]);
    expect(apply([...rules, rule('d', { then: 'hold' })], aged(5))).toEqual([
      'hold',
      'd',
      inDays(2),
    ]);
    expect(apply([rule('d', { then: 'hold' }), ...rules], aged(5))).toEqual(['hold', 'd', null]);
    expect(apply(rules, aged(8))).toEqual(['approve', 'b', null]);
  });

  it('wait for no age where more is missing', () => {
    const rules = [rule('a', { when: { minimum_age_days: 30, scan: ['failed'] } })];

    expect(apply(rules, aged(5))).toEqual([null, null, null]);
  });

  it('ask whether a major is approved only where that matters', () => {
    const asking = rule('a', { when: { approved_major: true } });
    const unasked = { hasApprovedMajor: undefined };

    expect(apply([asking], unasked)).toBeUndefined();
    expect(apply([rule('b'), asking], unasked)).toEqual(['approve', 'b', null]);
    expect(apply([asking], { hasApprovedMajor: false })).toEqual([null, null, null]);
  });

  it('decide at their time what they said that they would, and nothing earlier', () => {
    const days = fc.integer({ min: 1, max: 60 });
    fc.assert(
      fc.property(fc.array(days, { maxLength: 5 }), days, (ages, age) => {
        const rules = ages.map((minimum, at) => rule(`r${at}`, old(minimum)));
        const young = { ...subject, ...aged(age) };
        const verdictAt = (moment: Date) =>
          applyRules(
            { rules },
            { subject: young, issues: [], requiresScan: false, minimumAgeDays: 0, now: moment },
          );

        const again = verdictAt(now)?.again;

        if (ages.some((minimum) => minimum <= age)) {
          expect(verdictAt(now)?.action).toBe('approve');
          expect(again).toBeNull();
        } else if (ages.length > 0) {
          const moment = Date.parse(again?.at ?? '');
          expect(verdictAt(new Date(moment))?.action).toBe('approve');
          expect(verdictAt(new Date(moment - 1))?.action).toBeNull();
        }
      }),
    );
  });
});

const failed = (failures: number): ScanSource => ({
  ...ownSource,
  reason: 'no',
  failures,
  finished: null,
});
const both = { isScanning: true, isCollectingFacts: true };

it.each([
  ['nothing is known', null, [], both, ['facts', 'scan']],
  ['only its origin was asked', facts, [], both, ['scan']],
  ['only its scan finished', null, [ownSource], both, ['facts']],
  ['all is known', facts, [ownSource], both, []],
  ['another scanned it', facts, [{ ...ownSource, id: 'other' }], both, ['scan']],
  ['its scan failed twice', facts, [failed(2)], both, ['scan']],
  ['its scan failed three times', facts, [failed(3)], both, []],
  ['its scan failed after one that finished', facts, [{ ...ownSource, reason: 'no' }], both, []],
  ['nobody scans', facts, [], { ...both, isScanning: false }, []],
  ['nobody asks', null, [ownSource], { ...both, isCollectingFacts: false }, []],
] as const)('what is awaited where %s', (_, known, sources, inquiries, expected) => {
  expect(listAwaited({ ecosystem: 'npm', facts: known, sources }, inquiries)).toEqual(expected);
});

it('no scan of an image is awaited', () => {
  expect(listAwaited({ ecosystem: 'docker', facts, sources: [] }, both)).toEqual([]);
});
