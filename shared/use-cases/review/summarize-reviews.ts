import type { Review } from '../../api/schemas/review.ts';
import type { ReviewSummary, ReviewSummaryQuery } from '../../api/schemas/review-summary.ts';
import type { ReviewsQuery } from '../../api/schemas/reviews-query.ts';
import { noOlderUpdates } from '../../domain/review/older-updates.ts';
import type { Status } from '../../domain/review/status.ts';
import { createEstimate } from '../../storage/dynamodb/read.ts';
import { hasReadUnits } from '../../storage/dynamodb/read-budget.ts';
import { readFreeze } from '../../storage/reviews/freeze.ts';
import { dayMs } from '../../util/duration.ts';
import { splitInto } from '../../util/split-into.ts';
import { loadReviews, type ReviewsContext } from './load-reviews.ts';
import { mayMatch } from './review-filters.ts';
import { largestState, mostStates, otherUnits, tryStep, versionsAStep } from './review-steps.ts';
import { type ListedRow, walkReviews } from './walk-reviews.ts';

/** Maximum number of rows that one request counts, and rows of one call. */
const mostLookedAt = 10_000;
const rowsACall = 1000;

/** Read units that must be left for another call of rows. */
const unitsForRows = 300;

/** Lower bounds of waiting times, in days. */
const ageBounds = [0, 1, 3, 7, 30] as const;

const toListQuery = (query: ReviewSummaryQuery): ReviewsQuery => {
  const isPart = (query.batch ?? query.label) !== undefined;
  const status = isPart ? 'all' : 'pending';
  return { ...query, status, sort: 'submitted_at', waiting_days: 0, demand: 1, limit: 1 };
};

const countAges = (rows: readonly ListedRow[], now: Date): ReviewSummary['by_age'] => {
  const ages = rows.map(({ submitted_at }) => (now.getTime() - Date.parse(submitted_at)) / dayMs);
  return ageBounds.map((from_days, at) => {
    const to = ageBounds[at + 1] ?? Number.POSITIVE_INFINITY;
    const isFirst = at === 0;
    return {
      from_days,
      // A clock that is behind would make an age negative.
      versions: ages.filter((age) => (isFirst || age >= from_days) && age < to).length,
    };
  });
};

const countWaits = (reviews: readonly Review[]): ReviewSummary['waits'] => {
  const waits = { review: 0, facts: 0, scan: 0, rules: 0, age: 0, freeze: 0 };
  for (const wait of reviews.flatMap(({ waits_for }) => waits_for)) waits[wait] += 1;
  return waits;
};

type IssueCount = ReviewSummary['issues'][number];

const countIssues = (reviews: readonly Review[]): IssueCount[] => {
  const counts = new Map<IssueCount['code'], IssueCount>();
  for (const { code, blocks } of reviews.flatMap(({ issues }) => issues)) {
    const known = counts.get(code) ?? { code, versions: 0, blocking: 0 };
    const blocking = known.blocking + (blocks ? 1 : 0);
    counts.set(code, { code, versions: known.versions + 1, blocking });
  }
  return [...counts.values()].sort(
    (one, other) => other.blocking - one.blocking || other.versions - one.versions,
  );
};

/** Returns the reviews of the first pending versions: 500 at most, and fewer if the read budget is used up. */
const evaluate = async (
  rows: readonly ListedRow[],
  context: ReviewsContext,
): Promise<{ readonly reviews: readonly Review[]; readonly evaluated: number }> => {
  const freeze = await readFreeze();
  const estimate = createEstimate(largestState);
  const moment = { ...context, freeze, estimate, updates: noOlderUpdates, round: undefined };
  const reviews: Review[] = [];
  let evaluated = 0;
  for (const step of splitInto(versionsAStep, rows.slice(0, mostStates))) {
    if (!hasReadUnits(estimate.of(versionsAStep) + otherUnits)) break;
    const found = await tryStep(() => loadReviews(step, moment), false);
    if (!found) break;
    reviews.push(...found.map(({ review }) => review));
    evaluated += step.length;
  }
  return { reviews: reviews.filter(({ status }) => status === 'pending'), evaluated };
};

/**
 * Returns the counts of a list of reviews: by status, waiting time, issues, and what its versions wait for. One request counts
 * 10,000 versions, and evaluates the first 500 pending ones among these. Costs about 140 read units, and half a unit for each
 * evaluated version.
 */
export const summarizeReviews = async (
  query: ReviewSummaryQuery,
  context: ReviewsContext,
): Promise<ReviewSummary> => {
  const listQuery = toListQuery(query);
  const looked: ListedRow[] = [];
  let next: string | undefined;
  for await (const { rows, hasMore } of walkReviews(listQuery, rowsACall)) {
    looked.push(...rows);
    next = hasMore ? looked.at(-1)?.cursor : undefined;
    if (next === undefined || looked.length >= mostLookedAt || !hasReadUnits(unitsForRows)) break;
  }
  const counted = looked.filter((row) => mayMatch(row, listQuery));
  const count = (status: Status): number => counted.filter((row) => row.status === status).length;
  const pending = counted.filter(({ status }) => status === 'pending');
  const { reviews, evaluated } = await evaluate(pending, context);
  return {
    ...{ pending: pending.length, approved: count('approved'), rejected: count('rejected') },
    by_age: countAges(pending, context.now),
    ...{ waits: countWaits(reviews), issues: countIssues(reviews), evaluated },
    looked_at: looked.length,
    complete: next === undefined,
    next: next ?? null,
  };
};
