import { findNearestBelow } from '../../domain/packages/nearest-version.ts';
import { type PackageId, toVersionKey } from '../../domain/packages/package-id.ts';
import { settledMs } from '../../domain/packages/settled.ts';
import { statusAt } from '../../domain/review/expiry.ts';
import { findApprovedPage } from '../../storage/packages/approved-versions.ts';
import { findNewestVersions } from '../../storage/packages/find-versions.ts';
import { findReviewStates } from '../../storage/reviews/review-state.ts';

/** Number of approved versions of the package among which the nearest is chosen: those that were submitted last. */
const approvedLookedAt = 100;
/** Number of versions of the package whose publication times are compared. */
const versionsLookedAt = 20;

/** Returns the nearest approved version below a version; undefined if there is none. */
export const findApprovedBelow = async (
  id: PackageId,
  now: Date,
): Promise<PackageId | undefined> => {
  const page = await findApprovedPage(id, now, approvedLookedAt);
  const version = findNearestBelow(id.ecosystem, id.version, page?.versions ?? []);
  return version === undefined ? undefined : { ...id, version };
};

/**
 * Returns the version of the registry that was published last before a version: if possible at least a week before. Undefined if
 * there is none, or if its publication time is unknown. Rejected versions are left out: malware would hide what it has in
 * common with the next version.
 */
export const findPublishedBefore = async (
  id: PackageId,
  publishedAt: string | null,
  now: Date,
): Promise<PackageId | undefined> => {
  if (publishedAt === null) return undefined;
  const { ecosystem, name } = id;
  const versions = await findNewestVersions({ ecosystem, name }, versionsLookedAt);
  // The version itself was published earlier than it is now, if upstream has changed the time.
  const usable = versions.filter(
    (one) => statusAt(one, now) !== 'rejected' && toVersionKey(one) !== toVersionKey(id),
  );
  const states = await findReviewStates(usable, { eventual: true });
  const dated = usable.flatMap((one) => {
    const at = states.get(toVersionKey(one))?.facts?.published_at;
    return at && at < publishedAt ? [{ one, at }] : [];
  });
  const newestFirst = dated.toSorted((one, other) => (one.at < other.at ? 1 : -1));
  const end = Date.parse(publishedAt) - settledMs;
  return (newestFirst.find(({ at }) => Date.parse(at) <= end) ?? newestFirst[0])?.one;
};
