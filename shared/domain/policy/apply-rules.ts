import { compareOrder } from '../../util/compare-order.ts';
import type { WeighedIssue } from '../review/approval.ts';
import { findComingOfAge } from '../review/fact-issues.ts';
import { matchRule, type PolicySubject } from './match-rule.ts';
import { hasTrustedScan } from './match-scans.ts';
import type { NextEvaluation } from './next-evaluation.ts';
import type { ConditionName, PolicyRule, ReviewPolicy, RuleAction } from './rule.ts';

/** Result of a policy evaluation for a version. */
export interface PolicyVerdict {
  /** Action; null if no rule matches. */
  readonly action: RuleAction | null;
  /** Matching rule. */
  readonly rule: PolicyRule | null;
  /** The next evaluation: an earlier rule or the settings only require a higher age. Null if none does. */
  readonly again: NextEvaluation | null;
  /** Each earlier rule with its first condition that does not hold. */
  readonly unmet: readonly UnmetCondition[];
}

/** The first condition of a rule that does not hold for a version. */
export interface UnmetCondition {
  readonly rule: string;
  /** `issues` if only blocking issues turn the approval into a manual review. */
  readonly condition: ConditionName | 'issues';
}

/** Returns the name of the rule that holds a version for manual review; null if none does. */
export const findHolder = ({ action, rule }: PolicyVerdict): string | null =>
  action === 'hold' && rule ? rule.name : null;

const findFirst = (moments: readonly NextEvaluation[]): NextEvaluation | null =>
  moments.toSorted((one, other) => compareOrder(one.at, other.at))[0] ?? null;

/** Input of a policy evaluation: the version, its issues and the settings. */
export interface PolicyCase {
  readonly subject: PolicySubject;
  readonly issues: readonly WeighedIssue[];
  /** True if a missing scan blocks an approval by the settings. An approving rule then needs a trusted scan. */
  readonly requiresScan: boolean;
  /** Age in days below which a version has the issue `too_young`. */
  readonly minimumAgeDays: number;
  readonly now: Date;
}

const listBlockers = ({ issues }: PolicyCase) => issues.filter(({ blocks }) => blocks);

const lacksScan = ({ when }: PolicyRule, { subject, requiresScan }: PolicyCase): boolean =>
  requiresScan && !hasTrustedScan(subject, when);

/**
 * Returns the action of a matching rule. Only a person can override a blocking issue, so an approval becomes `hold`.
 */
const chooseAction = (rule: PolicyRule, given: PolicyCase): RuleAction => {
  if (rule.then !== 'approve') return rule.then;
  return lacksScan(rule, given) || listBlockers(given).length > 0 ? 'hold' : rule.then;
};

/** Returns when a rule approves a version that is only too young by the settings; undefined if anything else blocks it. */
const findAgeBySettings = (rule: PolicyRule, given: PolicyCase): NextEvaluation[] => {
  const isYoung =
    !lacksScan(rule, given) && listBlockers(given).every(({ code }) => code === 'too_young');
  const at = isYoung ? findComingOfAge(given.minimumAgeDays, given.subject.facts) : undefined;
  return at ? [{ at: at.toISOString(), rule: rule.name }] : [];
};

/**
 * Evaluates the rules in order. The first matching rule decides.
 * @returns undefined if a rule requires `hasApprovedMajor` and it was not looked up
 */
export const applyRules = (
  { rules }: ReviewPolicy,
  given: PolicyCase,
): PolicyVerdict | undefined => {
  const { subject, now } = given;
  const later: NextEvaluation[] = [];
  const unmet: UnmetCondition[] = [];
  for (const rule of rules) {
    const { name } = rule;
    const match = matchRule(rule, subject, now);
    if (match === 'unasked') return undefined;
    if (match === 'yes') {
      const action = chooseAction(rule, given);
      if (action !== rule.then) {
        unmet.push({ rule: name, condition: 'issues' });
        later.push(...findAgeBySettings(rule, given));
      }
      // Decided versions are not evaluated again.
      return { action, rule, unmet, again: action === 'hold' ? findFirst(later) : null };
    }
    unmet.push({ rule: name, condition: match.unmet });
    if (match.from !== undefined) later.push({ at: match.from, rule: name });
  }
  return { action: null, rule: null, unmet, again: findFirst(later) };
};
