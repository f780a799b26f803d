import type { WeighedObjection } from '../review/approval.ts';
import { matchRule, type PolicySubject } from './match-rule.ts';
import { hasTrustedScan } from './match-scans.ts';
import type { PolicyRule, ReviewPolicy, RuleAction } from './rule.ts';

/** What a policy makes of a version at a moment. */
export interface PolicyVerdict {
  /** What becomes of it; null where no rule matches. */
  readonly action: RuleAction | null;
  /** The rule that matches. */
  readonly rule: PolicyRule | null;
  /** When a rule before that one will match that lacks nothing but age, ISO 8601; null where none will. */
  readonly again: string | null;
}

const findFirst = (moments: readonly string[]): string | null => moments.toSorted()[0] ?? null;

/** What a policy is applied to, and what the settings demand of an approval. */
export interface PolicyCase {
  readonly subject: PolicySubject;
  readonly objections: readonly WeighedObjection[];
  /** Whether the settings block an approval without a scan. A rule needs one then that it trusts. */
  readonly requiresScan: boolean;
  readonly now: Date;
}

/** An approval that something blocks is a person's to override, and never a rule's. */
const chooseAction = (
  { when, then }: PolicyRule,
  { subject, objections, requiresScan }: PolicyCase,
): RuleAction => {
  if (then !== 'approve') return then;
  const lacksScan = requiresScan && !hasTrustedScan(subject, when);
  return lacksScan || objections.some(({ blocks }) => blocks) ? 'hold' : then;
};

/**
 * Goes through the rules in their order: the first that matches decides.
 * @returns undefined where a rule hangs on whether a version with the same first number is approved, and nobody looked
 */
export const applyRules = (
  { rules }: ReviewPolicy,
  given: PolicyCase,
): PolicyVerdict | undefined => {
  const { subject, now } = given;
  const later: string[] = [];
  for (const rule of rules) {
    const match = matchRule(rule, subject, now);
    if (match === 'unasked') return undefined;
    if (match === 'yes') {
      const action = chooseAction(rule, given);
      // What is decided is not judged again.
      return { action, rule, again: action === 'hold' ? findFirst(later) : null };
    }
    if (match !== 'no') later.push(match.from);
  }
  return { action: null, rule: null, again: findFirst(later) };
};
