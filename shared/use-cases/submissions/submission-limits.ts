import type { Actor } from '../../domain/tokens/actor.ts';
import { registryActor } from '../../domain/tokens/registry-actor.ts';
import type { SubmissionRequest } from '../../platform/worker/events/submission-request.ts';
import { findNewestVersions } from '../../storage/packages/find-versions.ts';
import type { PackageItem } from '../../storage/packages/package-item.ts';
import { takeFromQuota } from '../../storage/quotas/quotas.ts';
import type { Deadline } from '../../util/deadline.ts';

/** The registry does not submit a version, for a reason that no retry changes. */
export class NotSubmittedError extends Error {
  override readonly name = 'NotSubmittedError';
}

/** Maximum number of pending versions of one package that the registry submitted. */
const mostPending = 3;
/** Number of pending versions that are looked at. Those of people come between. */
const mostLookedAt = 50;

/** Maximum number of dependencies that one update leads to in a day: its publisher chooses them. */
const dependenciesPerDay = 100;

/** Share of the updates of a day that security fixes have for themselves. */
const shareOfFixes = 1 / 5;

/** Maximum number of submissions that the installs of a label may cause. */
const installsPerHour = 300;
const installsPerDay = 1000;

/** The actor under whose name the registry counts its own submissions. */
const registry: Actor = { label: registryActor, fingerprint: null };

/** True if the registry submitted a version, and nobody has decided on it yet: an expired approval does not count. */
const isOfRegistry = ({ automatic, previous }: PackageItem): boolean =>
  automatic?.fingerprint === null && previous === null;

/**
 * Checks that few versions of the package wait that the registry submitted. A security fix may be one more.
 * @throws {NotSubmittedError} otherwise
 */
export const checkPending = async ({
  ecosystem,
  name,
  cause,
}: Pick<SubmissionRequest, 'ecosystem' | 'name' | 'cause'>): Promise<void> => {
  const pending = await findNewestVersions({ ecosystem, name, status: 'pending' }, mostLookedAt);
  const most = cause === 'security_fix' ? mostPending + 1 : mostPending;
  if (pending.filter(isOfRegistry).length < most) return;
  throw new NotSubmittedError(`${most} pending versions of the package are by the registry`);
};

interface Counting {
  readonly now: Date;
  readonly deadline: Deadline;
}

/**
 * Counts an update on this day, and a dependency also for the update that led to it. At least the last fifth of a day's updates is for security fixes, except for a limit of one.
 * @throws {RegistryError} `quota_reached`
 */
export const countUpdate = async (
  { cause, root }: Pick<SubmissionRequest, 'cause' | 'root'>,
  { updatesPerDay, ...context }: Counting & { readonly updatesPerDay: number },
): Promise<void> => {
  if (root !== null) {
    const counting = { ...context, actor: { label: root, fingerprint: null } };
    await takeFromQuota({ name: 'dependenciesPerDay', most: dependenciesPerDay }, counting);
  }
  const others = Math.max(1, updatesPerDay - Math.ceil(updatesPerDay * shareOfFixes));
  const most = cause === 'security_fix' ? updatesPerDay : others;
  await takeFromQuota({ name: 'updatesPerDay', most }, { ...context, actor: registry });
};

/**
 * Counts a request by an install for its token, in this hour and on this day.
 * @throws {RegistryError} `quota_reached`
 */
export const countInstall = async (
  { by }: Pick<SubmissionRequest, 'by'>,
  context: Counting,
): Promise<void> => {
  if (!by) return;
  const counting = { ...context, actor: by };
  await takeFromQuota({ name: 'installsPerHour', most: installsPerHour }, counting);
  await takeFromQuota({ name: 'installsPerDay', most: installsPerDay }, counting);
};
