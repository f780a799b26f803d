import { maxFullLimit } from '../../api/schemas/list-query.ts';
import type { ReviewPage } from '../../api/schemas/review.ts';
import type { ReviewsQuery } from '../../api/schemas/reviews-query.ts';
import { takeFitting } from '../../domain/answer-size.ts';
import { noOlderUpdates } from '../../domain/review/older-updates.ts';
import { createEstimate } from '../../storage/dynamodb/read.ts';
import { hasReadUnits } from '../../storage/dynamodb/read-budget.ts';
import { readFreeze } from '../../storage/reviews/freeze.ts';
import { findRescanRound } from '../../storage/reviews/rescan-round.ts';
import { dayMs } from '../../util/duration.ts';
import { findPendingUpdates } from './find-pending-updates.ts';
import { type FoundReview, loadReviews, type ReviewsContext } from './load-reviews.ts';
import { isSelective, matches, mayMatch } from './review-filters.ts';
import {
  largestState,
  mostStates,
  otherUnits,
  toSteps,
  tryStep,
  versionsAStep,
} from './review-steps.ts';
import { type ListedRow, walkReviews } from './walk-reviews.ts';

/** Rows of one query, and of all queries of one request. */
interface RowBounds {
  readonly rowsACall: number;
  readonly mostLookedAt: number;
}

const fewRows: RowBounds = { rowsACall: 250, mostLookedAt: 2000 };

/** For filters that rows alone answer, so that few review states are read. */
const manyRows: RowBounds = { rowsACall: 1000, mostLookedAt: 10_000 };

/** Fewest versions of the first step, which has no more than the page. */
const fewestVersions = 25;

/**
 * Returns the next reviews of a list that match a query, in its order. One request looks at 2,000 rows at most, or at 10,000
 * where rows alone leave out versions. It reads 500 review states at most, and ends earlier if its read budget is used up.
 * `complete` shows whether it reached the end of the list. The list of all pending versions leaves out each update of
 * which a newer one is pending.
 */
export const listReviews = async (
  query: ReviewsQuery,
  context: ReviewsContext,
): Promise<ReviewPage> => {
  const limit = Math.min(query.limit, maxFullLimit);
  const { rowsACall, mostLookedAt } = isSelective(query) ? manyRows : fewRows;
  const estimate = createEstimate(largestState);
  const [freeze, updates, round] = await Promise.all([
    readFreeze(),
    findPendingUpdates(query.status),
    findRescanRound(query.status),
  ]);
  const isPart = [query.batch, query.label, query.name].some((one) => one !== undefined);
  const left = isPart ? noOlderUpdates : updates;
  const youngest = new Date(context.now.getTime() - query.waiting_days * dayMs).toISOString();
  const isYoung = (row: ListedRow): boolean => row.submitted_at > youngest;
  const isWanted = (row: ListedRow): boolean =>
    !isYoung(row) && mayMatch(row, query) && left.findNewer(row.id) === undefined;
  // In the order of submission, later rows are younger, too.
  const isPast = (row: ListedRow): boolean => query.sort === 'submitted_at' && isYoung(row);
  const found: FoundReview[] = [];
  const cursors: string[] = [];
  let states = 0;
  let next: string | undefined;
  const first = Math.min(versionsAStep, Math.max(fewestVersions, limit));
  const pages = walkReviews(query, rowsACall);
  for await (const step of toSteps(pages, { first, isWanted, isPast })) {
    const reviews = await tryStep(
      () => loadReviews(step.rows, { ...context, freeze, estimate, updates, round }),
      cursors.length === 0,
    );
    if (!reviews) break;
    found.push(...reviews.filter(({ review }) => matches(review, query)));
    cursors.push(...step.cursors);
    states += step.rows.length;
    next = step.hasMore ? cursors.at(-1) : undefined;
    const isFull = cursors.length >= mostLookedAt || states > mostStates - versionsAStep;
    if (!step.hasMore || found.length >= limit || isFull) break;
    if (!hasReadUnits(estimate.of(versionsAStep) + otherUnits)) break;
  }
  const reviews = takeFitting(found.slice(0, limit).map(({ review }) => review));
  if (reviews.length < found.length) next = found[reviews.length - 1]?.cursor;
  const looked_at = next === undefined ? cursors.length : cursors.indexOf(next) + 1;
  const older_updates = left.all.length;
  return { reviews, looked_at, complete: next === undefined, older_updates, next: next ?? null };
};
