import { findCutoff } from '../../domain/policy/cutoff.ts';
import type { ReviewPolicy } from '../../domain/policy/rule.ts';
import type { Ecosystem } from '../../ecosystems/ecosystem.ts';
import { dayMs } from '../../util/duration.ts';

/** Rules that may require an age of a version. */
export interface AgeRules {
  readonly policy: ReviewPolicy;
  /** Age below which a version has an issue; 0 for none. */
  readonly minimumAgeDays: number;
}

/** Returns the time of publication, ISO 8601, up to which a version is old enough; undefined if no rule requires an age. */
export const findSettledBefore = (
  { policy, minimumAgeDays }: AgeRules,
  ecosystem: Ecosystem,
  now: Date,
): string | undefined => {
  const days = Math.max(findCutoff(policy.rules, ecosystem, now)?.days ?? 0, minimumAgeDays);
  return days === 0 ? undefined : new Date(now.getTime() - days * dayMs).toISOString();
};
