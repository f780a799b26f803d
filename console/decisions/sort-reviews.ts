import type { Review } from '../../shared/api/schemas/review.ts';
import { toPackageKey } from '../../shared/domain/packages/package-id.ts';
import { toKey, type VersionId } from '../address/version-id.ts';

/** What a page of reviews is compared with. */
interface SortContext {
  readonly run: {
    /** When the run started, in milliseconds. */
    readonly startedAt: number;
    /** The keys of older updates that the list left out before. */
    readonly older: readonly string[];
  };
  /** The keys of packages that a held record of malware names. */
  readonly heldPackages: ReadonlySet<string>;
  /** Returns true if a version has a decision of this page that is not made yet. */
  readonly isBusy: (id: VersionId) => boolean;
}

type Group = 'ready' | 'older' | 'waiting' | 'held' | 'busy' | 'later';

const automaticWaits: readonly string[] = ['facts', 'scan', 'age', 'freeze'];

const findGroup = (review: Review, { run, heldPackages, isBusy }: SortContext): Group => {
  if (run.older.includes(toKey(review))) return 'older';
  if (Date.parse(review.submitted_at ?? '') > run.startedAt) return 'later';
  if (heldPackages.has(toPackageKey(review.ecosystem, review.name))) return 'held';
  if (isBusy(review)) return 'busy';
  const isReady =
    review.status === 'pending' &&
    review.issues.length === 0 &&
    review.evidence_version !== null &&
    !review.waits_for.some((wait) => automaticWaits.includes(wait));
  return isReady ? 'ready' : 'waiting';
};

/** Returns the versions of a page that an approval of all without issues approves, and the numbers of the others. */
export const sortReviews = (reviews: readonly Review[], context: SortContext) => {
  const groups = Map.groupBy(reviews, (review) => findGroup(review, context));
  const count = (group: Group): number => groups.get(group)?.length ?? 0;
  return {
    ready: groups.get('ready') ?? [],
    counts: {
      ...{ waiting: count('waiting'), held: count('held') },
      ...{ busy: count('busy'), later: count('later') },
    },
    /** The keys of the older updates that the list leaves out, because these versions are newer. */
    older: reviews.flatMap((review) =>
      review.older_updates.map((version) => toKey({ ...review, version })),
    ),
  };
};
