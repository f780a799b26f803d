import { expect, it } from 'vitest';
import type { Rating, Severity } from '../../../shared/domain/vulnerabilities/severity.ts';
import {
  defaultScanPolicy,
  judgeCounts,
  type Verdict,
} from '../../../shared/domain/vulnerabilities/verdict.ts';

const none = { critical: 0, high: 0, medium: 0, low: 0, unrated: 0 };

it.each<[Partial<Record<Severity, number>>, Verdict, Verdict]>([
  [{}, 'failed', 'passed'],
  [{ unrated: 1 }, 'failed', 'failed'],
  [{ unrated: 1 }, 'warning', 'warning'],
  [{ unrated: 7 }, 'passed', 'passed'],
  [{ unrated: 1, high: 1 }, 'passed', 'failed'],
  [{ unrated: 1, low: 1 }, 'passed', 'warning'],
  [{ unrated: 1, low: 1 }, 'failed', 'failed'],
])('of %j, unrated meaning %s, is %s', (counts, unrated, verdict) => {
  expect(judgeCounts({ ...defaultScanPolicy, unrated }, { ...none, ...counts })).toBe(verdict);
});

it('warns by default of what nobody has rated', () => {
  expect(judgeCounts(defaultScanPolicy, { ...none, unrated: 1 })).toBe('warning');
});

it.each<[Rating | 'none', Rating | 'none', Rating, Verdict]>([
  ['critical', 'low', 'critical', 'failed'],
  ['critical', 'low', 'high', 'warning'],
  ['high', 'medium', 'low', 'passed'],
  ['none', 'high', 'critical', 'warning'],
  ['none', 'none', 'critical', 'passed'],
  ['low', 'none', 'low', 'failed'],
])('failed from %s, warning from %s: one %s is %s', (failedFrom, warningFrom, found, verdict) => {
  const policy = { failedFrom, warningFrom, unrated: 'failed' } as const;

  expect(judgeCounts(policy, { ...none, [found]: 1 })).toBe(verdict);
});
