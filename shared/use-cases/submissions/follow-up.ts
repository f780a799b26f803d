import {
  isTakingGateRequests,
  readFollowedReach,
  readMinimumAgeDays,
  readScanPolicy,
} from '../../api/settings/env.ts';
import type { CollectedRelease } from '../../domain/facts/collected-facts.ts';
import type { PackageId } from '../../domain/packages/package-id.ts';
import type { ReviewPolicy } from '../../domain/policy/rule.ts';
import { sendMessages } from '../../platform/worker/send-messages.ts';
import type { ReviewState } from '../../storage/reviews/review-state.ts';
import type { Deadline } from '../../util/deadline.ts';
import { logEvent } from '../../util/log.ts';
import { findDependencyRequests } from './follow-dependencies.ts';
import { findUpdates } from './follow-updates.ts';

/** Requests the submissions that the upstream metadata of a version suggests. `head` is its review state from before. */
export type FollowUp = (
  id: PackageId,
  head: ReviewState,
  collected: CollectedRelease,
) => Promise<void>;

const doNothing: FollowUp = () => Promise.resolve();

/**
 * Returns the function that requests submissions after upstream metadata of a version is saved: its updates, if it is
 * approved, and its dependencies, if the registry submitted it. Does nothing if both settings are off. Requests that the
 * queue does not take are logged: the next refresh repeats them.
 */
export const prepareFollowUp = (rules: ReviewPolicy, deadline: Deadline): FollowUp => {
  const [reach, takesRequests] = [readFollowedReach(), isTakingGateRequests()];
  if (reach === undefined && !takesRequests) return doNothing;
  const ages = { policy: rules, minimumAgeDays: readMinimumAgeDays() };
  const policy = readScanPolicy();
  return async (id, head, collected) => {
    const now = new Date();
    const requests = [
      ...(reach ? await findUpdates(id, head, collected, { reach, ages, policy, now }) : []),
      ...(await findDependencyRequests(id, head, collected, now)),
    ];
    const bodies = requests.map((request) => JSON.stringify(request));
    const unsent = await sendMessages('submissions', bodies, deadline);
    if (unsent.size > 0)
      logEvent('warn', 'submissions_not_requested', { ...id, count: unsent.size });
  };
};
