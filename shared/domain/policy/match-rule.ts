import type { Ecosystem } from '../ecosystem.ts';
import type { FactsSummary } from '../facts/summary.ts';
import type { LicenseStatus } from '../licenses/status.ts';
import type { PackageId } from '../package-id.ts';
import { ratings } from '../scans/severity.ts';
import type { PictureEvidence } from '../scans/standing.ts';
import { findMajor } from './major.ts';
import { matchesName } from './match-name.ts';
import type { RuleConditions, ScanCondition, WorstCondition } from './rule.ts';

/** What rules look at. */
export interface PolicySubject extends PackageId {
  /** The label of the token that it was submitted with. */
  readonly submitter: string | null;
  /** What the organisation thinks of its license; null where it names none, or the package itself another. */
  readonly license: LicenseStatus | null;
  readonly picture: PictureEvidence;
  /** Null where its origin was not asked. */
  readonly facts: FactsSummary | null;
  /** Whether a version with the same first number is approved; undefined where nobody looked yet. */
  readonly hasApprovedMajor: boolean | undefined;
}

/** How a rule stands to a version: `unasked` where it hangs on what nobody has looked up yet. */
export type RuleMatch =
  | 'yes'
  | 'no'
  | 'unasked'
  /** When it will match, if all else stays as it is; ISO 8601. */
  | { readonly from: string };

const toScanCondition = ({ status }: PictureEvidence): ScanCondition =>
  status === 'error' ? 'missing' : status;

/** Whether nothing counts that is worse; unknown (false) where no scan finished, or something is unrated. */
const isAtWorst = (worst: WorstCondition, { status, severity }: PictureEvidence): boolean => {
  if (status === 'error' || status === 'missing' || severity.unrated > 0) return false;
  const worse = worst === 'none' ? ratings : ratings.slice(0, ratings.indexOf(worst));
  return worse.every((rating) => severity[rating] === 0);
};

/** Whether its publisher advises against it, or took it back; undefined where its origin does not have it. */
const isWithdrawn = (facts: FactsSummary | null): boolean | undefined =>
  facts?.found === 'yes' ? facts.deprecated !== null || facts.yanked !== null : undefined;

const hasMajor = ({ ecosystem, version }: { ecosystem: Ecosystem; version: string }): boolean =>
  findMajor(ecosystem, version) !== undefined;

/** Whether a condition holds: one that is not given always does. */
const holds = <T>(given: T | undefined, check: (condition: T) => boolean): boolean =>
  given === undefined || check(given);

/** Whether all conditions hold that neither change with time alone nor need another question. */
const holdsNow = (when: RuleConditions, subject: PolicySubject): boolean => {
  const { ecosystem, submitter, license, picture, facts } = subject;
  return (
    holds(when.ecosystems, (some) => some.includes(ecosystem)) &&
    holds(when.names, (some) => some.some((pattern) => matchesName(pattern, subject))) &&
    holds(when.submitters, (some) => submitter !== null && some.includes(submitter)) &&
    holds(when.license, (some) => license !== null && some.includes(license)) &&
    holds(when.scan, (some) => some.includes(toScanCondition(picture))) &&
    holds(when.worst, (worst) => isAtWorst(worst, picture)) &&
    holds(when.found, (some) => facts !== null && some.includes(facts.found)) &&
    holds(when.deprecated, (is) => isWithdrawn(facts) === is) &&
    holds(when.install_scripts, (has) => facts?.install_scripts === has) &&
    holds(when.minimum_age_days, () => Boolean(facts?.published_at)) &&
    holds(when.approved_major, () => hasMajor(subject))
  );
};

const dayMs = 24 * 60 * 60 * 1000;

/** When a version is so many days old. */
const findComingOfAge = (days: number, facts: FactsSummary | null): Date =>
  new Date(Date.parse(facts?.published_at ?? '') + days * dayMs);

/** How the conditions of a rule stand to a version at a moment. */
export const matchRule = (when: RuleConditions, subject: PolicySubject, now: Date): RuleMatch => {
  const { facts, hasApprovedMajor } = subject;
  if (!holdsNow(when, subject)) return 'no';
  if (when.approved_major !== undefined) {
    if (hasApprovedMajor === undefined) return 'unasked';
    if (hasApprovedMajor !== when.approved_major) return 'no';
  }
  if (when.minimum_age_days === undefined) return 'yes';
  const from = findComingOfAge(when.minimum_age_days, facts);
  return from <= now ? 'yes' : { from: from.toISOString() };
};
