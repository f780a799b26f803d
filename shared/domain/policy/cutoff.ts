import type { Ecosystem } from '../../ecosystems/ecosystem.ts';
import { dayMs } from '../../util/duration.ts';
import type { PolicyRule } from './rule.ts';

/** The newest time of publication that a rule accepts, and the rule. */
export interface Cutoff {
  readonly before: Date;
  readonly rule: string;
  readonly days: number;
}

type Rule = Pick<PolicyRule, 'name' | 'then'> & {
  readonly when: Pick<PolicyRule['when'], 'ecosystems' | 'minimum_age_days'>;
};

/** Returns the cutoff of the approving rule with the greatest age for an ecosystem; undefined if no rule requires an age. */
export const findCutoff = (
  rules: readonly Rule[],
  ecosystem: Ecosystem,
  now: Date,
): Cutoff | undefined =>
  rules
    .filter(
      ({ then, when }) =>
        then === 'approve' && (when.ecosystems ?? [ecosystem]).includes(ecosystem),
    )
    .flatMap(({ name, when: { minimum_age_days: days } }) =>
      days === undefined
        ? []
        : [{ rule: name, days, before: new Date(now.getTime() - days * dayMs) }],
    )
    .toSorted((one, other) => other.days - one.days)[0];
