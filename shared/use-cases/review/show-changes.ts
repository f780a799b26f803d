import type { VersionChanges } from '../../api/schemas/changes.ts';
import type { PackageSelector } from '../../domain/packages/package-id.ts';
import { selectVersion } from '../../storage/packages/find-versions.ts';
import { readReviewState } from '../../storage/reviews/review-state.ts';
import { findVersionChanges } from '../../storage/reviews/version-changes-item.ts';
import { compareVersions, readEarlierVersion, readNewestRelease } from './compare-versions.ts';
import { findApprovedBelow, findPublishedBefore } from './find-earlier-version.ts';

/**
 * Returns what changed in a version since an earlier one, according to stored metadata. `since` names the earlier version. Without
 * it, the nearest approved version below counts, or else the stored comparison with an unapproved one.
 * @throws {RegistryError} `package_not_found` if the registry lacks one of the versions
 */
export const showChanges = async (
  { since, ...selector }: PackageSelector & { readonly since?: string | undefined },
  now: Date,
): Promise<VersionChanges> => {
  const { ecosystem, name, version } = await selectVersion(selector);
  const id = { ecosystem, name, version };
  const [head, stored] = await Promise.all([readReviewState(id), findVersionChanges(id)]);
  const wanted =
    since === undefined
      ? await findApprovedBelow(id, now)
      : await selectVersion({ ...id, version: since });
  if (!wanted && stored) return { ...id, ...stored };
  const chosen = wanted ?? (await findPublishedBefore(id, head.facts?.published_at ?? null, now));
  const earlier = chosen && (await readEarlierVersion(chosen, now));
  const compared = await compareVersions(id, await readNewestRelease(id, head), earlier, now);
  const known = stored?.changes.map(
    (change) => [change.name ?? '', change.first_published_at] as const,
  );
  return { ...id, ...compared.show(new Map(known)) };
};
