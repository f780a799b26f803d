import {
  isTakingGateRequests,
  readFollowedReach,
  readMinimumAgeDays,
  readScanPolicy,
} from '../../api/settings/env.ts';
import type { CollectedRelease } from '../../domain/facts/collected-facts.ts';
import type { PackageId, PackageName } from '../../domain/packages/package-id.ts';
import type { KnownVersions } from '../../domain/packages/release-list.ts';
import type { UpstreamRelease } from '../../domain/packages/upstream-release.ts';
import type { ReviewPolicy } from '../../domain/policy/rule.ts';
import type { SubmissionRequest } from '../../platform/worker/events/submission-request.ts';
import { sendMessages } from '../../platform/worker/send-messages.ts';
import type { ReviewState } from '../../storage/reviews/review-state.ts';
import type { Deadline } from '../../util/deadline.ts';
import { logEvent } from '../../util/log.ts';
import { findDependencyRequests } from './follow-dependencies.ts';
import { findUpdates } from './follow-updates.ts';
import { findKnownVersions } from './known-versions.ts';

/** Requests the submissions that the upstream metadata of a version suggests. `head` is its review state from before. */
export type FollowUp = (
  id: PackageId,
  head: ReviewState,
  collected: CollectedRelease,
) => Promise<void>;

/**
 * Returns the function that requests updates of the approved versions of a package, by the versions that upstream lists. Calls of
 * the function are about versions whose metadata is unchanged. `head` is the review state of the version.
 */
export type FollowReleases = (
  id: PackageName,
  releases: readonly UpstreamRelease[],
) => (id: PackageId, head: ReviewState) => Promise<void>;

/** Hands requests to the queue of submissions. Those that the queue does not take are logged: the next refresh repeats them. */
const request = async (
  id: PackageId,
  requests: readonly SubmissionRequest[],
  deadline: Deadline,
): Promise<void> => {
  const bodies = requests.map((one) => JSON.stringify(one));
  const unsent = await sendMessages('submissions', bodies, deadline);
  if (unsent.size > 0) logEvent('warn', 'submissions_not_requested', { ...id, count: unsent.size });
};

const readUpdateRules = (rules: ReviewPolicy) => ({
  ages: { policy: rules, minimumAgeDays: readMinimumAgeDays() },
  policy: readScanPolicy(),
});

/** Returns the function that follows the releases of packages; undefined if updates are not followed. */
const prepareFollowReleases = (
  rules: ReviewPolicy,
  deadline: Deadline,
): FollowReleases | undefined => {
  const reach = readFollowedReach();
  if (reach === undefined) return undefined;
  const settings = { ...readUpdateRules(rules), reach };
  return (name, releases) => {
    const now = new Date();
    let known: Promise<KnownVersions> | undefined;
    const findKnown = (): Promise<KnownVersions> => {
      known ??= findKnownVersions(name, now);
      return known;
    };
    const release = { facts: { found: 'yes' as const }, releases };
    return async (id, head) => {
      const updates = await findUpdates(id, head, release, { ...settings, now, findKnown });
      await request(id, updates, deadline);
    };
  };
};

const doNothing: FollowUp = () => Promise.resolve();

/**
 * Returns the function that requests submissions after upstream metadata of a version is saved: its updates, if it is
 * approved, and its dependencies, if the registry submitted it. Does nothing if both settings are off.
 */
const prepareFollowUp = (rules: ReviewPolicy, deadline: Deadline): FollowUp => {
  const [reach, takesRequests] = [readFollowedReach(), isTakingGateRequests()];
  if (reach === undefined && !takesRequests) return doNothing;
  const settings = readUpdateRules(rules);
  return async (id, head, collected) => {
    const now = new Date();
    const requests = [
      ...(reach ? await findUpdates(id, head, collected, { ...settings, reach, now }) : []),
      ...(await findDependencyRequests(id, head, collected, now)),
    ];
    await request(id, requests, deadline);
  };
};

/** Returns the functions that request submissions after a version was collected, and after a package was refreshed. */
export const prepareFollowing = (rules: ReviewPolicy, deadline: Deadline) => ({
  followUp: prepareFollowUp(rules, deadline),
  followReleases: prepareFollowReleases(rules, deadline),
});
