import {
  type AddedDependency,
  type Comparison,
  changeIssueCodes,
  listChangeIssues,
  listNameIssues,
} from '../../domain/changes/change-issues.ts';
import type { CollectedRelease } from '../../domain/facts/collected-facts.ts';
import type { Provenance } from '../../domain/facts/provenance.ts';
import type { PackageId } from '../../domain/packages/package-id.ts';
import { statusAt } from '../../domain/review/expiry.ts';
import type { StoredRelease } from '../../ecosystems/manifest/common-attributes.ts';
import type { Write } from '../../storage/dynamodb/write.ts';
import { findSimilarNames } from '../../storage/packages/approved-names.ts';
import { findReviewState } from '../../storage/reviews/review-state.ts';
import {
  findVersionChanges,
  replaceVersionChanges,
} from '../../storage/reviews/version-changes-item.ts';
import { hasUnreadable } from '../review/added-dependencies.ts';
import {
  type ComparedReleases,
  compareVersions,
  type EarlierVersion,
  type FirstPublications,
  readEarlierVersion,
} from '../review/compare-versions.ts';
import { findApprovedBelow, findPublishedBefore } from '../review/find-earlier-version.ts';
import { type ComparisonContext, findFirstPublications } from './first-publications.ts';

/** Number of versions whose publishers are no strangers. */
const publishersLookedAt = 20;

/** Collected version, with the result of the check of its attestations. */
export type CheckedRelease = CollectedRelease & { readonly provenance?: Provenance };

const toRelease = ({ facts, manifest, details, provenance }: CheckedRelease): StoredRelease => ({
  ...{ facts, manifest: manifest ?? undefined, details, provenance },
});

/**
 * Returns the version that a collected one is compared with: the nearest approved one below. Without one, the nearest that
 * upstream published before, or else the last such version of the registry.
 */
const findEarlier = async (
  id: PackageId,
  { facts, earlier }: CollectedRelease,
  now: Date,
): Promise<EarlierVersion | undefined> => {
  const approved = await findApprovedBelow(id, now);
  const known = approved && (await readEarlierVersion(approved, now));
  if (known?.release.facts) return known;
  if (earlier) {
    const { version } = earlier;
    const head = await findReviewState({ ...id, version });
    return { version, status: head ? statusAt(head, now) : null, release: toRelease(earlier) };
  }
  const published = known ? undefined : await findPublishedBefore(id, facts.published_at, now);
  return published ? readEarlierVersion(published, now) : known;
};

/**
 * Returns the publishers of the 20 versions up to the earlier one; undefined if none is known. An attacker can publish several
 * versions, so that the later ones do not count.
 */
const listPublishers = (
  { publications = [] }: CollectedRelease,
  { release }: EarlierVersion,
): readonly string[] | undefined => {
  const end = release.facts?.published_at ?? undefined;
  const known = publications.filter(({ published_at }) => end === undefined || published_at <= end);
  return known.length > 0
    ? known.slice(0, publishersLookedAt).map(({ publisher }) => publisher)
    : undefined;
};

/** Returns added dependencies by the names of their packages, which an alias does not have. */
const toAdded = (
  { added: { found } }: ComparedReleases,
  publications: FirstPublications,
): AddedDependency[] =>
  [...publications].map(([shown, first_published_at]) => {
    return { name: found.get(shown)?.name ?? shown, first_published_at };
  });

/** Result of the comparison of a collected version, and the writes that store it. */
export interface CollectedComparison {
  readonly comparison: Comparison;
  /** False if the first publication of a dependency is missing, so that another collection may find it. */
  readonly isComplete: boolean;
  readonly writes: readonly Write[];
}

/** Returns the issues in the changes of a version. All are unknown if no metadata of the earlier version is stored. */
const listIssues = (
  collected: CollectedRelease,
  earlier: EarlierVersion | undefined,
  {
    compared,
    publications,
  }: { readonly compared: ComparedReleases; readonly publications: FirstPublications },
  now: Date,
): Pick<Comparison, 'issues' | 'unknown'> => {
  if (!earlier) return { issues: [], unknown: [] };
  if (!earlier.release.facts) return { issues: [], unknown: changeIssueCodes };
  const { before, after, changes, unknown } = compared;
  return listChangeIssues(
    {
      ...{ before, after, changes, unknown },
      since: earlier.version,
      isApproved: earlier.status === 'approved',
      earlierPublishers: listPublishers(collected, earlier),
      added: toAdded(compared, publications),
      hasUnreadable: hasUnreadable(compared.added),
    },
    now,
  );
};

/** Compares a collected version with an earlier one. Requests the first publication of at most 20 added dependencies. */
export const compareCollected = async (
  id: PackageId,
  collected: CheckedRelease,
  context: ComparisonContext,
): Promise<CollectedComparison> => {
  const { now } = context;
  const [earlier, stored, similar] = await Promise.all([
    findEarlier(id, collected, now),
    findVersionChanges(id),
    findSimilarNames(id),
  ]);
  const compared = await compareVersions(id, toRelease(collected), earlier, now);
  const publications = await findFirstPublications(id, compared, stored, context);
  const shown = compared.show(publications);
  const found = listIssues(collected, earlier, { compared, publications }, now);
  return {
    comparison: {
      since: shown.since,
      issues: [...found.issues, ...listNameIssues(similar)],
      unknown: found.unknown,
    },
    isComplete: ![...publications.values()].includes(null),
    writes: replaceVersionChanges(id, stored, shown),
  };
};
