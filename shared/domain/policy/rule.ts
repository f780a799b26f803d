import type { Ecosystem } from '../../ecosystems/ecosystem.ts';
import { type ComparisonCode, comparisonCodes } from '../changes/change-issues.ts';
import type { Found } from '../facts/facts.ts';
import type { LicenseStatus } from '../licenses/license-status.ts';
import { ruleActorPrefix } from '../tokens/registry-actor.ts';
import type { Rating } from '../vulnerabilities/severity.ts';
import type { Verdict } from '../vulnerabilities/verdict.ts';

/** Action of a rule. `hold` requires manual review and skips later rules. */
export const ruleActions = ['approve', 'reject', 'hold'] as const;
export type RuleAction = (typeof ruleActions)[number];

/** Scan status for a rule: `missing` if no trusted scan has finished. */
export type ScanCondition = Verdict | 'missing';

/** Worst allowed severity of open vulnerabilities; `none` allows none. */
export type WorstCondition = Rating | 'none';

/**
 * Conditions of a rule, all of which must hold. An unknown property satisfies no condition. Those of comparisons are true for
 * a version with the issue of the same name.
 */
export interface RuleConditions
  extends Readonly<Partial<Record<ComparisonCode, boolean | undefined>>> {
  readonly ecosystems?: readonly Ecosystem[] | undefined;
  /** Name patterns, one of which must match. `*` matches any characters, as in `@types/*`. */
  readonly names?: readonly string[] | undefined;
  /** Labels of tokens. */
  readonly submitters?: readonly string[] | undefined;
  /** Statuses of the effective license. */
  readonly license?: readonly LicenseStatus[] | undefined;
  readonly scan?: readonly ScanCondition[] | undefined;
  readonly worst?: WorstCondition | undefined;
  /** Whether a trusted scan reports the version as malware. */
  readonly malware?: boolean | undefined;
  /** Labels of tokens whose scans count for `scan`, `worst` and `malware`, in addition to the registry's own. */
  readonly scanned_by?: readonly string[] | undefined;
  readonly minimum_age_days?: number | undefined;
  readonly found?: readonly Found[] | undefined;
  /** True for versions that are deprecated or yanked, false for versions that are neither. */
  readonly deprecated?: boolean | undefined;
  readonly install_scripts?: boolean | undefined;
  /** Whether a version of the package with the same major version is approved. */
  readonly approved_major?: boolean | undefined;
}

/** Conditions in the order in which a rule checks them. */
export const conditionNames = [
  'ecosystems',
  'names',
  'submitters',
  'malware',
  'scan',
  'worst',
  'license',
  'found',
  'deprecated',
  'install_scripts',
  ...comparisonCodes,
  'approved_major',
  'minimum_age_days',
] as const satisfies readonly (keyof RuleConditions)[];
export type ConditionName = (typeof conditionNames)[number];

export interface PolicyRule {
  readonly name: string;
  readonly when: RuleConditions;
  readonly then: RuleAction;
  /** Stored with the decision. */
  readonly reason?: string | undefined;
  /** Duration of an approval in days. */
  readonly expires_in_days?: number | undefined;
}

/** Rules in order of precedence. The first matching rule decides. */
export interface ReviewPolicy {
  readonly rules: readonly PolicyRule[];
}

/** Returns the name that decisions of a rule have as their decider, such as `policy:of-age`. */
export const toPolicyActor = ({ name }: Pick<PolicyRule, 'name'>): string =>
  `${ruleActorPrefix}${name}`;

/** Returns the name of the rule that made a decision; null for a decision by a person. */
export const findDecidingRule = ({
  by,
  token_label,
}: {
  readonly by: string | null;
  readonly token_label: string | null;
}): string | null =>
  by?.startsWith(ruleActorPrefix) && token_label === null ? by.slice(ruleActorPrefix.length) : null;

/** True if a rule depends on other approved versions of the package. */
export const dependsOnOtherVersions = ({ rules }: ReviewPolicy): boolean =>
  rules.some(({ when }) => when.approved_major !== undefined);
