import { isOwn, type Slot } from '../vulnerabilities/scan-source.ts';
import type { PictureEvidence, StandingStatus } from '../vulnerabilities/scan-summary.ts';
import { ratings } from '../vulnerabilities/severity.ts';
import type { Verdict } from '../vulnerabilities/verdict.ts';
import type { PolicyRule, RuleConditions, ScanCondition, WorstCondition } from './rule.ts';

/** The scans of a version, as rules look at them. */
export interface ScannedSubject {
  /** What all scans found together, whoever sent them. */
  readonly picture: PictureEvidence;
  readonly slots: readonly Pick<Slot, 'id' | 'label' | 'forced' | 'finished'>[];
  /** The label of the token that the version was submitted with. */
  readonly submitter: string | null;
}

/**
 * Returns true if a scan that counts for a rule has finished: the registry's own, or one by a label that the rule
 * trusts (`scanned_by`). The submitter's own upload never counts, nor one whose report is about something else, nor one
 * that left something out.
 */
export const hasTrustedScan = (
  { slots, submitter }: ScannedSubject,
  { scanned_by = [] }: RuleConditions,
): boolean =>
  slots.some((slot) => {
    const { label, forced, finished } = slot;
    if (finished === null || finished.partial !== null) return false;
    if (isOwn(slot)) return true;
    return !forced && label !== null && label !== submitter && scanned_by.includes(label);
  });

const isFinished = (status: StandingStatus): status is Verdict =>
  status !== 'error' && status !== 'missing';

/** Returns all conditions that hold: findings of scans that the rule does not trust hold beside `missing`. */
const listConditions = (subject: ScannedSubject, when: RuleConditions): ScanCondition[] => {
  const { status } = subject.picture;
  if (!isFinished(status)) return ['missing'];
  if (hasTrustedScan(subject, when)) return [status];
  return status === 'passed' ? ['missing'] : ['missing', status];
};

/** Returns true if nothing that counts is worse. Unknown (false) without a trusted scan, or if something is unrated. */
const isAtWorst = (worst: WorstCondition, { status, severity }: PictureEvidence): boolean => {
  if (!isFinished(status) || severity.unrated > 0) return false;
  const worse = worst === 'none' ? ratings : ratings.slice(0, ratings.indexOf(worst));
  return worse.every((rating) => severity[rating] === 0);
};

/**
 * Returns true if the conditions `scan` and `worst` of a rule hold. Findings always count, no matter who sent them; a clean
 * result counts only from scans that the rule trusts. So a rule that approves has to allow everything that holds of the version,
 * and any of it is enough for a rule that holds or rejects.
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
  return matches && hasTrustedScan(subject, when) && isAtWorst(worst, subject.picture);
};
