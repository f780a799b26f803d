import type { FactsSummary } from '../facts/summary.ts';
import type { LicenseStatus } from '../licenses/status.ts';
import type { Ecosystem } from '../packages/ecosystem.ts';
import { findMajor } from '../packages/major-version.ts';
import type { PackageId } from '../packages/package-id.ts';
import { matchesName } from './match-name.ts';
import { matchesScans, type ScannedSubject } from './match-scans.ts';
import type { PolicyRule } from './rule.ts';

/** What rules look at. */
export interface PolicySubject extends PackageId, ScannedSubject {
  /** What the organisation thinks of the license that counts; null where there is none, or none that is readable. */
  readonly license: LicenseStatus | null;
  /** Whether it is known which license the package itself declares, if any. */
  readonly isUpstreamLicenseKnown: boolean;
  /** Null where its origin was not asked. */
  readonly facts: FactsSummary | null;
  /** Whether a version with the same first number is approved; undefined where nobody looked yet. */
  readonly hasApprovedMajor: boolean | undefined;
}

/** What of a rule says whether it matches: findings of scans count otherwise for one that approves. */
type MatchedRule = Pick<PolicyRule, 'when' | 'then'>;

/** How a rule stands to a version: `unasked` where it hangs on what nobody has looked up yet. */
export type RuleMatch =
  | 'yes'
  | 'no'
  | 'unasked'
  /** When it will match, if all else stays as it is; ISO 8601. */
  | { readonly from: string };

/** Whether its publisher advises against it, or took it back; undefined where its origin does not have it. */
const isWithdrawn = (facts: FactsSummary | null): boolean | undefined =>
  facts?.found === 'yes' ? facts.deprecated !== null || facts.yanked !== null : undefined;

const hasMajor = ({ ecosystem, version }: { ecosystem: Ecosystem; version: string }): boolean =>
  findMajor(ecosystem, version) !== undefined;

/** Whether a condition holds: one that is not given always does. */
const holds = <T>(given: T | undefined, check: (condition: T) => boolean): boolean =>
  given === undefined || check(given);

/**
 * True if the license that counts has one of the wanted statuses. Anybody can submit a license: while it is unknown what
 * the package itself declares, the submitted license counts against a version and never for it.
 */
const matchesLicense = (
  { when, then }: MatchedRule,
  { license, isUpstreamLicenseKnown }: PolicySubject,
): boolean =>
  holds(
    when.license,
    (some) =>
      license !== null && some.includes(license) && (isUpstreamLicenseKnown || then !== 'approve'),
  );

/** Whether all conditions hold that neither change with time alone nor need another question. */
const holdsNow = (rule: MatchedRule, subject: PolicySubject): boolean => {
  const { when } = rule;
  const { ecosystem, submitter, facts } = subject;
  return (
    matchesScans(rule, subject) &&
    holds(when.ecosystems, (some) => some.includes(ecosystem)) &&
    holds(when.names, (some) => some.some((pattern) => matchesName(pattern, subject))) &&
    holds(when.submitters, (some) => submitter !== null && some.includes(submitter)) &&
    matchesLicense(rule, subject) &&
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
export const matchRule = (rule: MatchedRule, subject: PolicySubject, now: Date): RuleMatch => {
  const { when } = rule;
  const { facts, hasApprovedMajor } = subject;
  if (!holdsNow(rule, subject)) return 'no';
  if (when.approved_major !== undefined) {
    if (hasApprovedMajor === undefined) return 'unasked';
    if (hasApprovedMajor !== when.approved_major) return 'no';
  }
  if (when.minimum_age_days === undefined) return 'yes';
  const from = findComingOfAge(when.minimum_age_days, facts);
  return from <= now ? 'yes' : { from: from.toISOString() };
};
