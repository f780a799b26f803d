import {
  type PackageId,
  type PackageName,
  toVersionKey,
} from '../../domain/packages/package-id.ts';
import type { UpstreamRelease } from '../../domain/packages/upstream-release.ts';
import type { ItemKey } from '../../storage/dynamodb/table.ts';
import { updateAlone } from '../../storage/dynamodb/write-alone.ts';
import { queryApproved } from '../../storage/packages/approved-versions.ts';
import type { ComparisonProgress } from '../../storage/reviews/package-refresh.ts';
import { findReviewStates, type ReviewState } from '../../storage/reviews/review-state.ts';
import { EvidenceChangedError, markForRefresh } from '../../storage/reviews/review-state-writes.ts';
import { runInParallel } from '../../util/in-parallel.ts';
import { logEvent } from '../../util/log.ts';
import type { FactsCollection } from './facts-collection.ts';
import { hasSpareTime } from './spare-time.ts';

/** What upstream lists of a package. */
export interface VersionList {
  /** Identity of the list; null if upstream has none. */
  readonly digest: string | null;
  readonly releases: readonly UpstreamRelease[];
  /** Returns the digest of what the list says about a version; undefined if it does not describe the version. */
  digestOf(version: string): string | undefined;
}

/** Result of the comparison of a package's approved versions with a list. */
export interface ComparedPackage extends Pick<ComparisonProgress, 'youngest' | 'isExact'> {
  /** Key of the last compared version, if the time was too short for all. */
  readonly after: ItemKey | undefined;
  /** True if the package has no approved version. */
  readonly isEmpty: boolean;
}

const versionsACall = 100;
/** Versions of one message. The next message continues. */
const mostCalls = 10;
const parallelWrites = 4;

/** Makes a version due, unless it has become so. Returns false if it now has another refresh, which may be later. */
const mark = async (id: PackageId): Promise<boolean> => {
  try {
    await updateAlone(markForRefresh(id, new Date()));
    return true;
  } catch (error) {
    if (error instanceof EvidenceChangedError) return false;
    throw error;
  }
};

/** Called for a version whose metadata is unchanged. */
type Follow = (id: PackageId, head: ReviewState) => Promise<void>;

/** Follows a version. After a failure, the next refresh repeats it: a bad record of one version stops no other one. */
const tryToFollow = async (id: PackageId, head: ReviewState, follow: Follow): Promise<void> => {
  try {
    await follow(id, head);
  } catch (error) {
    logEvent('error', 'releases_not_followed', { ...id, error });
  }
};

/**
 * Compares a version with the list, and makes it due at once if it differs. Returns false if the version has a refresh of its own
 * and differs, so that the list does not confirm all versions.
 */
const compareVersion = async (
  id: PackageId,
  head: ReviewState | undefined,
  { list, follow }: { readonly list: VersionList; readonly follow: Follow | undefined },
): Promise<boolean> => {
  if (head?.status !== 'approved') return head !== undefined;
  const listing = list.digestOf(id.version);
  const isSame = listing !== undefined && listing === head.facts?.listing;
  if (head.refresh_at !== undefined) return isSame;
  if (!isSame) return mark(id);
  if (follow) await tryToFollow(id, head, follow);
  return true;
};

const findYoungest = (heads: Iterable<ReviewState>, before: string | null): string | null => {
  let youngest = before;
  for (const { status, facts } of heads) {
    const at = facts?.published_at ?? null;
    if (status === 'approved' && at !== null && (youngest === null || at > youngest)) youngest = at;
  }
  return youngest;
};

/**
 * Returns the comparison to continue, also with a list that has changed: a list that changes with each request would else never end.
 * Then the comparison confirms no list. Without a list before or now, the comparison begins again.
 */
const continueWith = (
  list: VersionList,
  progress: ComparisonProgress | undefined,
): ComparisonProgress | undefined => {
  if (progress?.digest === list.digest) return progress;
  return progress && progress.digest !== null && list.digest !== null
    ? { ...progress, isExact: false }
    : undefined;
};

/** True if a package has no approved version, by a strongly consistent read. */
const hasNoApproved = async (id: PackageName): Promise<boolean> => {
  const { items, next } = await queryApproved(id, { limit: versionsACall });
  return items.length === 0 && next === undefined;
};

/**
 * Compares the approved versions of a package with a list, at most 1,000 and as time allows, and makes those due at once that
 * differ. Continues an earlier comparison.
 */
export const comparePackage = async (
  id: PackageName,
  {
    list,
    progress,
  }: { readonly list: VersionList; readonly progress: ComparisonProgress | undefined },
  { deadline, followReleases }: FactsCollection,
): Promise<ComparedPackage> => {
  const begun = continueWith(list, progress);
  const follow = followReleases?.(id, list.releases);
  let after = begun?.after;
  let { youngest, isExact } = begun ?? { youngest: null, isExact: true };
  let seen = begun ? 1 : 0;
  for (let call = 0; call < mostCalls && (call === 0 || hasSpareTime(deadline)); call += 1) {
    const page = await queryApproved(id, { start: after, limit: versionsACall, eventual: true });
    const heads = await findReviewStates(page.items, { eventual: true });
    const exact = await runInParallel(
      page.items,
      parallelWrites,
      ({ ecosystem, name, version }) => {
        const one = { ecosystem, name, version };
        return compareVersion(one, heads.get(toVersionKey(one)), { list, follow });
      },
    );
    youngest = findYoungest(heads.values(), youngest);
    isExact &&= exact.every(Boolean);
    seen += page.items.length;
    after = page.next;
    if (!after) break;
  }
  const isEmpty = seen === 0 && after === undefined && (await hasNoApproved(id));
  return { after, youngest, isExact, isEmpty };
};
