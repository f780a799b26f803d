import type { Ecosystem } from '../../ecosystems/ecosystem.ts';
import type { ComparisonCode } from '../changes/change-issues.ts';
import type { FactsSummary } from '../facts/summary.ts';
import type { LicenseStatus } from '../licenses/license-status.ts';
import { findMajor } from '../packages/major-version.ts';
import { matchesName } from '../packages/match-name.ts';
import type { PackageId } from '../packages/package-id.ts';
import { findComingOfAge } from '../review/fact-issues.ts';
import { findMalware, matchesScan, matchesWorst, type ScannedSubject } from './match-scans.ts';
import {
  type ConditionName,
  conditionNames,
  type PolicyRule,
  type RuleConditions,
} from './rule.ts';

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
  | 'unasked'
  /**
   * The first condition that does not hold. If it is the age alone, `from` is when the rule will match if all else
   * stays the same, ISO 8601.
   */
  | { readonly unmet: ConditionName; readonly from?: string };

/** True if the version is deprecated or yanked; undefined if upstream does not have it. */
const isWithdrawn = (facts: FactsSummary | null): boolean | undefined =>
  facts?.found === 'yes' ? facts.deprecated !== null || facts.yanked !== null : undefined;

const hasMajor = ({ ecosystem, version }: { ecosystem: Ecosystem; version: string }): boolean =>
  findMajor(ecosystem, version) !== undefined;

/**
 * True if the effective license has one of the wanted statuses. Anyone can submit a license. Until the package's own
 * declaration is known, the submitted license never counts in favour of a version.
 */
const matchesLicense = (
  wanted: readonly LicenseStatus[],
  { then }: MatchedRule,
  { license, isUpstreamLicenseKnown }: PolicySubject,
): boolean =>
  license !== null && wanted.includes(license) && (isUpstreamLicenseKnown || then !== 'approve');

type Conditions = Required<{ [C in ConditionName]: NonNullable<RuleConditions[C]> }>;

/** True if comparisons found an issue; undefined if that is unknown. */
const hasFound = (code: ComparisonCode, facts: FactsSummary | null): boolean | undefined => {
  const { comparison } = facts ?? {};
  if (!comparison || comparison.unknown.includes(code)) return undefined;
  return comparison.issues.some((issue) => issue.code === code);
};

/** What conditions are checked against. */
interface Match {
  readonly rule: MatchedRule;
  readonly subject: PolicySubject;
  readonly now: Date;
}

type Check<C extends ConditionName> = (given: Conditions[C], match: Match) => boolean;

const checkComparison =
  (code: ComparisonCode): Check<ComparisonCode> =>
  (is, { subject }) =>
    hasFound(code, subject.facts) === is;

/** Whether a given condition holds, for each condition. An unknown property satisfies none. */
const checks: { readonly [C in ConditionName]: Check<C> } = {
  ecosystems: (some, { subject }) => some.includes(subject.ecosystem),
  names: (some, { subject }) => some.some((pattern) => matchesName(pattern, subject)),
  submitters: (some, { subject: { submitter } }) => submitter !== null && some.includes(submitter),
  malware: (is, { rule, subject }) => findMalware(subject, rule.when) === is,
  scan: (some, { rule, subject }) => matchesScan(some, rule, subject),
  worst: (worst, { rule, subject }) => matchesWorst(worst, rule.when, subject),
  license: (some, { rule, subject }) => matchesLicense(some, rule, subject),
  found: (some, { subject: { facts } }) => facts !== null && some.includes(facts.found),
  deprecated: (is, { subject }) => isWithdrawn(subject.facts) === is,
  install_scripts: (has, { subject }) => subject.facts?.install_scripts === has,
  new_dependency_young: checkComparison('new_dependency_young'),
  install_scripts_added: checkComparison('install_scripts_added'),
  publisher_changed: checkComparison('publisher_changed'),
  provenance_lost: checkComparison('provenance_lost'),
  repository_changed: checkComparison('repository_changed'),
  similar_name: checkComparison('similar_name'),
  approved_major: (is, { subject }) => hasMajor(subject) && subject.hasApprovedMajor === is,
  minimum_age_days: (days, { subject, now }) => {
    const from = findComingOfAge(days, subject.facts);
    return from !== undefined && from <= now;
  },
};

const holds = <C extends ConditionName>(name: C, match: Match): boolean => {
  const given = match.rule.when[name] as Conditions[C] | undefined;
  return given === undefined || checks[name](given, match);
};

/** Matches the conditions of a rule with a version at a moment. The age is the last condition. */
export const matchRule = (rule: MatchedRule, subject: PolicySubject, now: Date): RuleMatch => {
  const { approved_major, minimum_age_days } = rule.when;
  for (const name of conditionNames) {
    const isUnasked = name === 'approved_major' && approved_major !== undefined;
    if (isUnasked && hasMajor(subject) && subject.hasApprovedMajor === undefined) return 'unasked';
    if (holds(name, { rule, subject, now })) continue;
    const from =
      name === 'minimum_age_days' && minimum_age_days !== undefined
        ? findComingOfAge(minimum_age_days, subject.facts)?.toISOString()
        : undefined;
    return { unmet: name, ...(from !== undefined && { from }) };
  }
  return 'yes';
};
