import type { Found } from '../facts/facts.ts';
import type { LicenseStatus } from '../licenses/status.ts';
import type { Ecosystem } from '../packages/ecosystem.ts';
import type { Rating } from '../vulnerabilities/severity.ts';
import type { Verdict } from '../vulnerabilities/verdict.ts';

/** What a rule does with a version that it matches: `hold` leaves it to a person, whatever later rules say. */
export const ruleActions = ['approve', 'reject', 'hold'] as const;
export type RuleAction = (typeof ruleActions)[number];

/** How scans stand for a rule: `missing` where none that the rule trusts has finished. */
export type ScanCondition = Verdict | 'missing';

/** The worst severity that may count, `none` where nothing may. */
export type WorstCondition = Rating | 'none';

/** What must hold of a version for a rule to match: all that is given. What is not known of a version satisfies nothing. */
export interface RuleConditions {
  readonly ecosystems?: readonly Ecosystem[] | undefined;
  /** Of which one must match the name: `*` stands for any characters, as in `@types/*`. */
  readonly names?: readonly string[] | undefined;
  /** Labels of tokens. */
  readonly submitters?: readonly string[] | undefined;
  /** What the organisation thinks of the license that counts. */
  readonly license?: readonly LicenseStatus[] | undefined;
  readonly scan?: readonly ScanCondition[] | undefined;
  readonly worst?: WorstCondition | undefined;
  /** Labels of tokens whose scans count for `scan` and `worst`, beside the registry's own. */
  readonly scanned_by?: readonly string[] | undefined;
  readonly minimum_age_days?: number | undefined;
  readonly found?: readonly Found[] | undefined;
  /** Whether it is deprecated or yanked: false where it is neither. */
  readonly deprecated?: boolean | undefined;
  readonly install_scripts?: boolean | undefined;
  /** Whether a version of the package with the same first number is approved. */
  readonly approved_major?: boolean | undefined;
}

export interface PolicyRule {
  readonly name: string;
  readonly when: RuleConditions;
  readonly then: RuleAction;
  /** Kept with the decision. */
  readonly reason?: string | undefined;
  /** For how many days an approval holds. */
  readonly expires_in_days?: number | undefined;
}

/** Rules in their order: the first that matches decides. */
export interface ReviewPolicy {
  readonly rules: readonly PolicyRule[];
}
