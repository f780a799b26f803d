import type { PolicyStatus } from '../../../shared/api/schemas/policy.ts';
import type { Ecosystem } from '../../../shared/ecosystems/ecosystem.ts';
import { dayMs } from '../../../shared/util/duration.ts';

/** The newest time of publication that a rule accepts, and the rule. */
export interface Cutoff {
  readonly before: Date;
  readonly rule: string;
  readonly days: number;
}

/** Returns the cutoff of the approving rule with the greatest age for an ecosystem; undefined if no rule requires an age. */
export const findCutoff = (
  rules: PolicyStatus['rules'],
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
