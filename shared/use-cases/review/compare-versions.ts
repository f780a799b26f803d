import { maxChanges, type StoredChanges, type VersionChange } from '../../api/schemas/changes.ts';
import { type Change, compareReleases } from '../../domain/changes/compare-releases.ts';
import type { ChangeField, Release } from '../../domain/changes/release.ts';
import type { PackageId } from '../../domain/packages/package-id.ts';
import { statusAt } from '../../domain/review/expiry.ts';
import type { Status } from '../../domain/review/status.ts';
import { describeRelease } from '../../ecosystems/describe-release.ts';
import type { StoredRelease } from '../../ecosystems/manifest/common-attributes.ts';
import { findRecords } from '../../storage/reviews/facts-items.ts';
import { findReleaseDetails } from '../../storage/reviews/release-details-items.ts';
import { type ReviewState, readReviewState } from '../../storage/reviews/review-state.ts';
import { type AddedDependencies, lookUpAdded } from './added-dependencies.ts';

/** An earlier version with its metadata. Its status is null if the registry does not have it. */
export interface EarlierVersion {
  readonly version: string;
  readonly status: Status | null;
  readonly release: StoredRelease;
}

const nothingStored: StoredRelease = {
  facts: undefined,
  manifest: undefined,
  details: undefined,
};

/** Returns the stored metadata of a version under a digest of facts. */
const readRelease = async (
  id: PackageId,
  digest: string | null,
  { facts }: ReviewState,
): Promise<StoredRelease> => {
  if (digest === null) return nothingStored;
  const [record] = (await findRecords([{ ...id, digest }])).values();
  if (record?.facts.found !== 'yes') return nothingStored;
  const details = await findReleaseDetails(id, record.manifest);
  return {
    ...{ facts: record.facts, manifest: record.manifest ?? undefined, details },
    // Another digest has other files, or had.
    ...(facts?.digest === digest && { provenance: facts.provenance }),
  };
};

/** Returns the digest of the newest metadata with files; if upstream has the version no longer, of the pinned one. */
const findNewestDigest = ({ facts, pinned }: ReviewState): string | null =>
  facts?.found === 'yes' ? facts.digest : pinned;

/** Returns the newest metadata of a version that the registry has stored. */
export const readNewestRelease = (id: PackageId, head: ReviewState): Promise<StoredRelease> =>
  readRelease(id, findNewestDigest(head), head);

/** Returns an earlier version of the registry. An approval is about its pinned metadata: a later one was not reviewed. */
export const readEarlierVersion = async (id: PackageId, now: Date): Promise<EarlierVersion> => {
  const head = await readReviewState(id);
  const release = await readRelease(id, head.pinned ?? findNewestDigest(head), head);
  return { version: id.version, status: statusAt(head, now), release };
};

/** First publications of added dependencies by their names in the changes, ISO 8601; null if unknown. */
export type FirstPublications = ReadonlyMap<string, string | null>;

/** Differences between a version and an earlier one. */
export interface ComparedReleases {
  readonly before: Release;
  readonly after: Release;
  /** All changes, also those that an answer does not show. */
  readonly changes: readonly Change[];
  /** Fields that could not be compared, at least in part. */
  readonly unknown: readonly ChangeField[];
  readonly added: AddedDependencies;
  /** Returns the comparison for people, with the first publications of added dependencies. */
  readonly show: (firstPublications: FirstPublications) => StoredChanges;
}

/** Compares a version with an earlier one; without an earlier one, there are no changes. */
export const compareVersions = async (
  id: PackageId,
  release: StoredRelease,
  earlier: EarlierVersion | undefined,
  now: Date,
): Promise<ComparedReleases> => {
  const after = describeRelease(id.ecosystem, release);
  const before = earlier ? describeRelease(id.ecosystem, earlier.release) : [];
  const { changes, unknown } = compareReleases(before, after);
  const added = await lookUpAdded(id, changes, { before: earlier?.release, after: release }, now);
  const show = (change: Change, firstPublications: FirstPublications): VersionChange => {
    if (!added.changes.has(change)) {
      return { ...change, registry_status: null, first_published_at: null };
    }
    const name = change.name ?? '';
    return {
      ...change,
      registry_status: added.found.get(name)?.status ?? 'unknown',
      first_published_at: firstPublications.get(name) ?? null,
    };
  };
  return {
    ...{ before, after, changes, unknown, added },
    show: (firstPublications) => ({
      since: earlier?.version ?? null,
      since_status: earlier?.status ?? null,
      published_at: release.facts?.published_at ?? null,
      since_published_at: earlier?.release.facts?.published_at ?? null,
      previous: release.details?.previous ?? null,
      changes: changes.slice(0, maxChanges).map((change) => show(change, firstPublications)),
      change_count: changes.length,
      unknown: [...unknown],
    }),
  };
};
