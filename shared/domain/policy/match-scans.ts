import { listReported } from '../review/malware-records.ts';
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
  /** Records of malware that a person accepted for the version: they do not count. */
  readonly accepted_recalls?: readonly string[];
}

/**
 * Returns the scan sources that a rule trusts: the registry's own, and those of labels in `scanned_by`. Uploads of the
 * submitter and forced uploads never count.
 */
const listTrusted = (
  { sources, submitter }: ScannedSubject,
  { scanned_by = [] }: RuleConditions,
): ScannedSubject['sources'] =>
  sources.filter((source) => {
    if (isOwn(source)) return true;
    const { label, forced } = source;
    return !forced && label !== null && label !== submitter && scanned_by.includes(label);
  });

/** True if a complete scan that a rule trusts has finished. Partial scans never count. */
export const hasTrustedScan = (subject: ScannedSubject, when: RuleConditions): boolean =>
  listTrusted(subject, when).some(({ finished }) => finished !== null && finished.partial === null);

/**
 * True if a trusted scan reports the version as malware. False if a trusted scan has finished and no scan reports
 * malware. Undefined, meaning unknown, otherwise. Records that a person accepted do not count.
 */
export const findMalware = (subject: ScannedSubject, when: RuleConditions): boolean | undefined => {
  const isReported = (source: Pick<ScanSource, 'finished'>): boolean =>
    listReported(source, subject.accepted_recalls).length > 0;
  if (listTrusted(subject, when).some(isReported)) return true;
  return hasTrustedScan(subject, when) && !subject.sources.some(isReported) ? false : undefined;
};

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
 * True if the condition `scan` of a rule holds. Findings count from every scan source; a clean result counts only from
 * trusted scans. An approving rule must therefore allow all scan conditions of the version. For a rule that holds or
 * rejects, one of them is enough.
 */
export const matchesScan = (
  scan: readonly ScanCondition[],
  { when, then }: Pick<PolicyRule, 'when' | 'then'>,
  subject: ScannedSubject,
): boolean => {
  const isListed = (condition: ScanCondition): boolean => scan.includes(condition);
  const conditions = listConditions(subject, when);
  return then === 'approve' ? conditions.every(isListed) : conditions.some(isListed);
};

/** True if the condition `worst` of a rule holds. */
export const matchesWorst = (
  worst: WorstCondition,
  when: RuleConditions,
  subject: ScannedSubject,
): boolean => hasTrustedScan(subject, when) && isAtWorst(worst, subject.merged_scan);
