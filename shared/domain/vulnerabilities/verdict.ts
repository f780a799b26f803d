import { compareSeverities, type Rating, ratings, type Severity } from './severity.ts';

/** What a finished scan comes to, the worst first. */
export const verdicts = ['failed', 'warning', 'passed'] as const;
export type Verdict = (typeof verdicts)[number];

/**
 * From which severity on one vulnerability is enough for a scan to fail, or to warn, `none` never; and what one means
 * that nobody has rated.
 */
export interface ScanPolicy {
  readonly failedFrom: Rating | 'none';
  readonly warningFrom: Rating | 'none';
  readonly unrated: Verdict;
}

export const defaultScanPolicy: ScanPolicy = {
  failedFrom: 'high',
  warningFrom: 'low',
  unrated: 'warning',
};

const isCounted = (
  counts: Readonly<Record<Severity, number>>,
  threshold: Rating | 'none',
): boolean =>
  threshold !== 'none' &&
  ratings.some((rating) => compareSeverities(rating, threshold) <= 0 && counts[rating] > 0);

const judgeRated = (
  { failedFrom, warningFrom }: ScanPolicy,
  counts: Readonly<Record<Severity, number>>,
): Verdict => {
  if (isCounted(counts, failedFrom)) return 'failed';
  return isCounted(counts, warningFrom) ? 'warning' : 'passed';
};

/** Returns what a scan comes to that left something out: it is never clean, for what it left out may not be. */
export const judgePartial = (verdict: Verdict): Verdict =>
  verdict === 'passed' ? 'warning' : verdict;

/** What vulnerabilities come to by how many there are of each severity: the worst of what any of them means. */
export const judgeCounts = (
  policy: ScanPolicy,
  counts: Readonly<Record<Severity, number>>,
): Verdict => {
  const found = [judgeRated(policy, counts), counts.unrated > 0 ? policy.unrated : 'passed'];
  return verdicts.find((verdict) => found.includes(verdict)) ?? 'passed';
};
