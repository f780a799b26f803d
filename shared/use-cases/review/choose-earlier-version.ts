import { findNearestBelow } from '../../domain/packages/nearest-version.ts';
import { type PackageId, toVersionKey } from '../../domain/packages/package-id.ts';
import { statusAt } from '../../domain/review/expiry.ts';
import { findApprovedPage } from '../../storage/packages/approved-versions.ts';
import { findNewestVersions } from '../../storage/packages/find-versions.ts';
import { findReviewStates } from '../../storage/reviews/review-state.ts';

/** Number of approved versions of the package among which the nearest is chosen: those that were submitted last. */
const approvedLookedAt = 100;
/** Number of versions of the package whose publication times are compared. */
const versionsLookedAt = 20;

/** Returns the nearest approved version below a version; undefined if there is none. */
const findApprovedBelow = async (id: PackageId, now: Date): Promise<PackageId | undefined> => {
  const page = await findApprovedPage(id, now, approvedLookedAt);
  const version = findNearestBelow(id.ecosystem, id.version, page?.versions ?? []);
  return version === undefined ? undefined : { ...id, version };
};

/**
 * Returns the version of the registry that was published last before a version. Rejected versions are left out: malware
 * would hide what it has in common with the next version.
 */
const findPublishedBefore = async (
  { ecosystem, name }: PackageId,
  publishedAt: string,
  now: Date,
): Promise<PackageId | undefined> => {
  const versions = await findNewestVersions({ ecosystem, name }, versionsLookedAt);
  const usable = versions.filter((one) => statusAt(one, now) !== 'rejected');
  const states = await findReviewStates(usable, { eventual: true });
  const dated = usable.flatMap((one) => {
    const at = states.get(toVersionKey(one))?.facts?.published_at;
    return at && at < publishedAt ? [{ one, at }] : [];
  });
  return dated.toSorted((one, other) => (one.at < other.at ? 1 : -1))[0]?.one;
};

/**
 * Returns the version that a version is compared with: the nearest approved one below it, or else the one that was
 * published last before it. Undefined if there is none, or if its publication time is unknown.
 */
export const chooseEarlierVersion = async (
  id: PackageId,
  publishedAt: string | null,
  now: Date,
): Promise<PackageId | undefined> =>
  (await findApprovedBelow(id, now)) ??
  (publishedAt === null ? undefined : findPublishedBefore(id, publishedAt, now));
