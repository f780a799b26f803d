import type { StoredChanges } from '../../api/schemas/changes.ts';
import {
  type AddedDependency,
  type Comparison,
  listChangeIssues,
  listNameIssues,
} from '../../domain/changes/change-issues.ts';
import type { CollectedRelease } from '../../domain/facts/collected-facts.ts';
import type { Provenance } from '../../domain/facts/provenance.ts';
import type { PackageId } from '../../domain/packages/package-id.ts';
import { statusAt } from '../../domain/review/expiry.ts';
import { describeRelease } from '../../ecosystems/describe-release.ts';
import type { StoredRelease } from '../../ecosystems/manifest/common-attributes.ts';
import type { Write } from '../../storage/dynamodb/write.ts';
import { findSimilarNames } from '../../storage/packages/approved-names.ts';
import { findReviewState } from '../../storage/reviews/review-state.ts';
import {
  findVersionChanges,
  replaceVersionChanges,
} from '../../storage/reviews/version-changes-item.ts';
import type { Deadline } from '../../util/deadline.ts';
import { runInParallel } from '../../util/in-parallel.ts';
import {
  type ComparedReleases,
  compareVersions,
  type EarlierVersion,
  type FirstPublications,
  readEarlierVersion,
} from '../review/compare-versions.ts';
import { findApprovedBelow, findPublishedBefore } from '../review/find-earlier-version.ts';

/**
 * Returns when the first version of a package was published upstream, ISO 8601; null if it is unknown. Undefined for one of the
 * organisation's own packages, which no request may name.
 */
export type FindFirstPublication = (
  id: Pick<PackageId, 'ecosystem' | 'name'>,
) => Promise<string | null | undefined>;

/** Maximum number of added dependencies whose first publication is requested at one collection. */
const mostRequested = 20;
const parallelRequests = 4;
/** Number of versions whose publishers are no strangers. */
const publishersLookedAt = 20;
/** Time that a worker needs for the requests of one version and for the next version, in milliseconds. */
const enoughMs = 60_000;

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
 * Returns the first publications of added dependencies without an approved version, by their names in the changes. Those of an
 * earlier comparison are not requested again. Null if one could not be found, is above the limit, or if time
 * is short.
 */
const findFirstPublications = async (
  { ecosystem }: PackageId,
  { added }: ComparedReleases,
  stored: StoredChanges | undefined,
  { deadline, findFirstPublication = () => Promise.resolve(null) }: ComparisonContext,
): Promise<FirstPublications> => {
  const known = new Map(
    stored?.changes.map(({ name, first_published_at }) => [name, first_published_at]),
  );
  const undecided = [...added].filter(
    ([, { status }]) => status !== 'approved' && status !== 'out_of_range',
  );
  const missing = undecided.filter(([name]) => !known.get(name)).slice(0, mostRequested);
  const requested = deadline.remainingMs() < enoughMs ? [] : missing;
  const found = new Map(
    await runInParallel(requested, parallelRequests, async ([shown, { name }]) => {
      return [shown, await findFirstPublication({ ecosystem, name })] as const;
    }),
  );
  return new Map(
    undecided
      .filter(([name]) => !(found.has(name) && found.get(name) === undefined))
      .map(([name]) => [name, known.get(name) ?? found.get(name) ?? null]),
  );
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

const toAdded = (publications: FirstPublications): AddedDependency[] =>
  [...publications].map(([name, first_published_at]) => ({ name, first_published_at }));

/** Time and dependencies of a comparison. */
export interface ComparisonContext {
  readonly now: Date;
  readonly deadline: Deadline;
  /** All first publications are unknown if omitted. */
  readonly findFirstPublication?: FindFirstPublication;
}

/** Result of the comparison of a collected version, and the writes that store it. */
export interface CollectedComparison {
  readonly comparison: Comparison;
  /** False if the first publication of a dependency is missing, so that another collection may find it. */
  readonly isComplete: boolean;
  readonly writes: readonly Write[];
}

/** Compares a collected version with an earlier one. Requests the first publication of at most 20 added dependencies. */
export const compareCollected = async (
  id: PackageId,
  collected: CheckedRelease,
  context: ComparisonContext,
): Promise<CollectedComparison> => {
  const { now } = context;
  const release = toRelease(collected);
  const [earlier, stored, similar] = await Promise.all([
    findEarlier(id, collected, now),
    findVersionChanges(id),
    findSimilarNames(id),
  ]);
  const compared = await compareVersions(id, release, earlier, now);
  const publications = await findFirstPublications(id, compared, stored, context);
  const shown = compared.show(publications);
  const found = earlier
    ? listChangeIssues(
        {
          since: earlier.version,
          isApproved: earlier.status === 'approved',
          before: describeRelease(id.ecosystem, earlier.release),
          after: describeRelease(id.ecosystem, release),
          changes: compared.changes,
          earlierPublishers: listPublishers(collected, earlier),
          added: toAdded(publications),
        },
        now,
      )
    : { issues: [], unknown: [] };
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
