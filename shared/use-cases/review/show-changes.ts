import { maxChanges, type VersionChange, type VersionChanges } from '../../api/schemas/changes.ts';
import { type Change, compareReleases } from '../../domain/changes/compare-releases.ts';
import type { PackageId, PackageSelector } from '../../domain/packages/package-id.ts';
import { statusAt } from '../../domain/review/expiry.ts';
import type { Status } from '../../domain/review/status.ts';
import { mapRegistryDependencies } from '../../ecosystems/compared-dependencies.ts';
import { describeRelease } from '../../ecosystems/describe-release.ts';
import type { StoredRelease } from '../../ecosystems/manifest/common-attributes.ts';
import { selectVersion } from '../../storage/packages/find-versions.ts';
import { findRecords } from '../../storage/reviews/facts-items.ts';
import { findReleaseDetails } from '../../storage/reviews/release-details-items.ts';
import { type ReviewState, readReviewState } from '../../storage/reviews/review-state.ts';
import { chooseEarlierVersion } from './choose-earlier-version.ts';
import { findRegistryStatuses } from './find-registry-statuses.ts';

const nothingStored: StoredRelease = {
  facts: undefined,
  manifest: undefined,
  details: undefined,
};

/** Returns the stored metadata of a version under a digest of facts. */
const readRelease = async (id: PackageId, digest: string | null): Promise<StoredRelease> => {
  if (digest === null) return nothingStored;
  const [record] = (await findRecords([{ ...id, digest }])).values();
  if (record?.facts.found !== 'yes') return nothingStored;
  const details = await findReleaseDetails(id, record.manifest);
  return { facts: record.facts, manifest: record.manifest ?? undefined, details };
};

/** Returns the digest of the newest metadata with files; if upstream has the version no longer, of the pinned one. */
const findNewestDigest = ({ facts, pinned }: ReviewState): string | null =>
  facts?.found === 'yes' ? facts.digest : pinned;

/** An earlier version with what the registry has stored of it. */
interface Earlier {
  readonly version: string;
  readonly status: Status;
  readonly release: StoredRelease;
}

/** Returns the earlier version. An approval is about its pinned metadata: a later one was not reviewed. */
const readEarlier = async (id: PackageId, now: Date): Promise<Earlier> => {
  const head = await readReviewState(id);
  const release = await readRelease(id, head.pinned ?? findNewestDigest(head));
  return { version: id.version, status: statusAt(head, now), release };
};

const isAddedDependency = ({ field, change }: Change): boolean =>
  field === 'dependencies' && change === 'added';

/** Returns changes with the status in the registry of each added dependency. */
const addStatuses = async (
  id: PackageId,
  changes: readonly Change[],
  release: StoredRelease,
  now: Date,
): Promise<VersionChange[]> => {
  const known = mapRegistryDependencies(release);
  const added = changes.filter(isAddedDependency);
  const wanted = added.flatMap(({ name }) => known.get(name ?? '') ?? []);
  const statuses = await findRegistryStatuses(id.ecosystem, wanted, now);
  return changes.map((change) => {
    if (!isAddedDependency(change)) return { ...change, registry_status: null };
    const dependency = known.get(change.name ?? '');
    const status = dependency && statuses.get(dependency);
    return { ...change, registry_status: status ?? 'unknown' };
  });
};

/**
 * Returns what changed in a version since an earlier one, according to stored metadata. `since` names the earlier version;
 * without it, `chooseEarlierVersion` chooses.
 * @throws {RegistryError} `package_not_found` if the registry lacks one of the versions
 */
export const showChanges = async (
  { since, ...selector }: PackageSelector & { readonly since?: string | undefined },
  now: Date,
): Promise<VersionChanges> => {
  const { ecosystem, name, version } = await selectVersion(selector);
  const id = { ecosystem, name, version };
  const head = await readReviewState(id);
  const release = await readRelease(id, findNewestDigest(head));
  const published_at = head.facts?.published_at ?? null;
  const chosen =
    since === undefined
      ? await chooseEarlierVersion(id, published_at, now)
      : await selectVersion({ ...id, version: since });
  const earlier = chosen && (await readEarlier(chosen, now));
  const { changes, unknown } = earlier
    ? compareReleases(
        describeRelease(ecosystem, earlier.release),
        describeRelease(ecosystem, release),
      )
    : { changes: [], unknown: [] };
  return {
    ...id,
    since: earlier?.version ?? null,
    since_status: earlier?.status ?? null,
    published_at,
    since_published_at: earlier?.release.facts?.published_at ?? null,
    previous: release.details?.previous ?? null,
    changes: await addStatuses(id, changes.slice(0, maxChanges), release, now),
    change_count: changes.length,
    unknown: [...unknown],
  };
};
