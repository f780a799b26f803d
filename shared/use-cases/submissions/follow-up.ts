import type { CollectedRelease } from '../../domain/facts/collected-facts.ts';
import type { PackageId } from '../../domain/packages/package-id.ts';
import type { Reach } from '../../domain/packages/reach.ts';
import type { ScanPolicy } from '../../domain/vulnerabilities/verdict.ts';
import { sendMessages } from '../../platform/worker/send-messages.ts';
import type { ReviewState } from '../../storage/reviews/review-state.ts';
import type { Deadline } from '../../util/deadline.ts';
import { logEvent } from '../../util/log.ts';
import { findDependencyRequests } from './follow-dependencies.ts';
import { findUpdates } from './follow-updates.ts';
import type { AgeRules } from './settled-before.ts';

/** What the registry submits after it has collected the upstream metadata of a version. */
interface FollowUpSettings {
  /** Largest step of updates; undefined for none. */
  readonly reach: Reach | undefined;
  /** True if the registry submits what installs ask for. */
  readonly takesRequests: boolean;
  readonly ages: AgeRules;
  readonly policy: ScanPolicy;
  readonly deadline: Deadline;
}

/**
 * Returns the function that requests submissions which the upstream metadata of a version suggests: its updates, if it is
 * approved, and its dependencies, if the registry submitted it. Lost requests are logged: the next refresh repeats them.
 */
export const createFollowUp =
  ({ reach, takesRequests, ages, policy, deadline }: FollowUpSettings) =>
  async (id: PackageId, head: ReviewState, collected: CollectedRelease): Promise<void> => {
    if (reach === undefined && !takesRequests) return;
    const now = new Date();
    const requests = [
      ...(reach ? await findUpdates(id, head, collected, { reach, ages, policy, now }) : []),
      ...(await findDependencyRequests(id, head, collected, now)),
    ];
    const bodies = requests.map((request) => JSON.stringify(request));
    const unsent = await sendMessages('submissions', bodies, deadline);
    if (unsent.size > 0) logEvent('warn', 'submissions_not_requested', { count: unsent.size, ...id });
  };
