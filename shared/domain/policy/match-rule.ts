import type { Ecosystem } from '../../ecosystems/ecosystem.ts';
import { dayMs } from '../../util/duration.ts';
import type { FactsSummary } from '../facts/summary.ts';
import type { LicenseStatus } from '../licenses/license-status.ts';
import { findMajor } from '../packages/major-version.ts';
import type { PackageId } from '../packages/package-id.ts';
import { matchesName } from './match-name.ts';
import { matchesScans, type ScannedSubject } from './match-scans.ts';
import type { PolicyRule } from './rule.ts';

/** Version as rules evaluate it. */
export interface PolicySubject extends PackageId, ScannedSubject {
  /** Status of the effective license; null if there is none or it is unreadable. */
  readonly license: LicenseStatus | null;
  /** True if the package's own license declaration is known, even if it declares none. */
  readonly isUpstreamLicenseKnown: boolean;
  /** Null if no upstream metadata was fetched. */
  readonly facts: FactsSummary | null;
  /** True if a version with the same major version is approved; undefined if not looked up yet. */
  readonly hasApprovedMajor: boolean | undefined;
}

/** Parts of a rule that determine a match. Approving rules treat scan findings differently. */
type MatchedRule = Pick<PolicyRule, 'when' | 'then'>;

/** Result of matching a rule. `unasked`: the result requires a lookup. */
export type RuleMatch =
  | 'yes'
  | 'no'
  | 'unasked'
  /** When the rule will match if all else stays the same, ISO 8601. */
  | { readonly from: string };

/** True if the version is deprecated or yanked; undefined if upstream does not have it. */
const isWithdrawn = (facts: FactsSummary | null): boolean | undefined =>
  facts?.found === 'yes' ? facts.deprecated !== null || facts.yanked !== null : undefined;

const hasMajor = ({ ecosystem, version }: { ecosystem: Ecosystem; version: string }): boolean =>
  findMajor(ecosystem, version) !== undefined;

/** True if a condition holds or is absent. */
const holds = <T>(given: T | undefined, check: (condition: T) => boolean): boolean =>
  given === undefined || check(given);

/**
 * True if the effective license has one of the wanted statuses. Anyone can submit a license. Until the package's own
 * declaration is known, the submitted license never counts in favour of a version.
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

/** True if all conditions hold that depend neither on time alone nor on a lookup. */
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

/** Returns when a version reaches an age in days. */
const findComingOfAge = (days: number, facts: FactsSummary | null): Date =>
  new Date(Date.parse(facts?.published_at ?? '') + days * dayMs);

/** Matches the conditions of a rule with a version at a moment. */
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
