import { compareSeverities, type Rating, ratings, type Severity } from './severity.ts';

/** Verdicts on a finished scan, worst first. */
export const verdicts = ['failed', 'warning', 'passed'] as const;
export type Verdict = (typeof verdicts)[number];

/**
 * Thresholds for scan verdicts. One vulnerability at or above `failedFrom` or `warningFrom` yields that verdict; `none`
 * disables the threshold. `unrated` is the verdict for an unrated vulnerability.
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

const evaluateRated = (
  { failedFrom, warningFrom }: ScanPolicy,
  counts: Readonly<Record<Severity, number>>,
): Verdict => {
  if (isCounted(counts, failedFrom)) return 'failed';
  return isCounted(counts, warningFrom) ? 'warning' : 'passed';
};

/** Returns the verdict on a partial scan, at best `warning`: the skipped part may be vulnerable. */
export const judgePartial = (verdict: Verdict): Verdict =>
  verdict === 'passed' ? 'warning' : verdict;

/** Returns the verdict on vulnerability counts by severity, which is the worst verdict of any severity. */
export const judgeCounts = (
  policy: ScanPolicy,
  counts: Readonly<Record<Severity, number>>,
): Verdict => {
  const found = [evaluateRated(policy, counts), counts.unrated > 0 ? policy.unrated : 'passed'];
  return verdicts.find((verdict) => found.includes(verdict)) ?? 'passed';
};
