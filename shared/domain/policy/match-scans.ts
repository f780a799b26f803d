import { isOwn, type ScanSource } from '../vulnerabilities/scan-source.ts';
import type { MergedScanEvidence, ScanSummaryStatus } from '../vulnerabilities/scan-summary.ts';
import { ratings } from '../vulnerabilities/severity.ts';
import type { Verdict } from '../vulnerabilities/verdict.ts';
import type { PolicyRule, RuleConditions, ScanCondition, WorstCondition } from './rule.ts';

/** Scans of a version as rules evaluate them. */
export interface ScannedSubject {
  /** Merged scan evidence from all scan sources. */
  readonly merged_scan: MergedScanEvidence;
  readonly sources: readonly Pick<ScanSource, 'id' | 'label' | 'forced' | 'finished'>[];
  /** Label of the submitting token. */
  readonly submitter: string | null;
}

/**
 * True if a scan that a rule trusts has finished: the registry's own, or one by a label in `scanned_by`. Uploads of the
 * submitter, forced uploads and partial scans never count.
 */
export const hasTrustedScan = (
  { sources, submitter }: ScannedSubject,
  { scanned_by = [] }: RuleConditions,
): boolean =>
  sources.some((source) => {
    const { label, forced, finished } = source;
    if (finished === null || finished.partial !== null) return false;
    if (isOwn(source)) return true;
    return !forced && label !== null && label !== submitter && scanned_by.includes(label);
  });

const isFinished = (status: ScanSummaryStatus): status is Verdict =>
  status !== 'error' && status !== 'missing';

/** Returns all conditions that hold. Without a trusted scan, findings of other scans hold beside `missing`. */
const listConditions = (subject: ScannedSubject, when: RuleConditions): ScanCondition[] => {
  const { status } = subject.merged_scan;
  if (!isFinished(status)) return ['missing'];
  if (hasTrustedScan(subject, when)) return [status];
  return status === 'passed' ? ['missing'] : ['missing', status];
};

/**
 * True if no open vulnerability is worse than `worst`. False, meaning unknown, without a trusted scan or with unrated
 * vulnerabilities.
 */
const isAtWorst = (worst: WorstCondition, { status, severity }: MergedScanEvidence): boolean => {
  if (!isFinished(status) || severity.unrated > 0) return false;
  const worse = worst === 'none' ? ratings : ratings.slice(0, ratings.indexOf(worst));
  return worse.every((rating) => severity[rating] === 0);
};

/**
 * True if the conditions `scan` and `worst` of a rule hold. Findings count from every scan source; a clean result
 * counts only from trusted scans. An approving rule must therefore allow all conditions that hold. For a rule that
 * holds or rejects, one of them is enough.
 */
export const matchesScans = (
  { when, then }: Pick<PolicyRule, 'when' | 'then'>,
  subject: ScannedSubject,
): boolean => {
  const { scan, worst } = when;
  const isListed = (condition: ScanCondition): boolean => scan?.includes(condition) ?? true;
  const conditions = listConditions(subject, when);
  const matches = then === 'approve' ? conditions.every(isListed) : conditions.some(isListed);
  if (worst === undefined) return matches;
  return matches && hasTrustedScan(subject, when) && isAtWorst(worst, subject.merged_scan);
};
