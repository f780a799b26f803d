import { maxFullLimit } from '../../api/schemas/list-query.ts';
import type { Review, ReviewPage } from '../../api/schemas/review.ts';
import type { ReviewsQuery } from '../../api/schemas/reviews-query.ts';
import { takeFitting } from '../../domain/answer-size.ts';
import { type PackageId, toVersionKey } from '../../domain/packages/package-id.ts';
import type { OwnInquiries } from '../../domain/policy/readiness.ts';
import { findReviewProgress, type ReviewMoment } from '../../domain/policy/review-waits.ts';
import { countDemand } from '../../domain/review/batches.ts';
import { noOlderUpdates, type OlderUpdates } from '../../domain/review/older-updates.ts';
import type { RescanRound } from '../../domain/review/rescan-round.ts';
import { severities } from '../../domain/vulnerabilities/severity.ts';
import { createEstimate, type ReadEstimate } from '../../storage/dynamodb/read.ts';
import { hasReadUnits, isTooMuchToRead } from '../../storage/dynamodb/read-budget.ts';
import { parseVersionKey } from '../../storage/packages/parse-version-key.ts';
import { readFreeze } from '../../storage/reviews/freeze.ts';
import { findRescanRound } from '../../storage/reviews/rescan-round.ts';
import {
  findRowOwner,
  type ReviewRow,
  readReviewRows,
  toReviewsPartition,
} from '../../storage/reviews/review-rows.ts';
import { findReviewStates, type ReviewState } from '../../storage/reviews/review-state.ts';
import { dayMs } from '../../util/duration.ts';
import { splitInto } from '../../util/split-into.ts';
import { findPendingUpdates } from './find-pending-updates.ts';
import type { ApprovalRules } from './judge-version.ts';
import { showListed } from './show-listed.ts';

/** Maximum number of rows that one request looks at, and of review states that it reads. */
const mostLookedAt = 2000;
const mostStates = 500;

/** Rows of one query. */
const rowsACall = 250;

/** Rows of one step: their review states take one call. */
const rowsAStep = 50;

/** Fewest rows of the first step, which has no more rows than the page. */
const fewestRows = 25;

/** Read units of the largest review state, read with eventual consistency. */
const largestState = 10;

/** Read units of a step besides those of review states: rows and licenses. */
const otherUnits = 100;

interface ReviewsContext {
  readonly rules: ApprovalRules;
  readonly inquiries: OwnInquiries;
  readonly now: Date;
}

/** Row, and the version that it belongs to. */
interface OwnedRow {
  readonly row: ReviewRow;
  readonly id: PackageId;
}

const findOwner = (row: ReviewRow): OwnedRow[] => {
  const id = parseVersionKey(findRowOwner(row.k));
  return id ? [{ row, id }] : [];
};

/** True if a row may match a query. All other filters need the review state. */
const mayMatch = ({ row, id }: OwnedRow, query: ReviewsQuery): boolean =>
  (query.status === 'all' || row.status === query.status) &&
  (query.ecosystem === undefined || id.ecosystem === query.ecosystem) &&
  (query.submitter === undefined || [row.submitted_by, row.submitter].includes(query.submitter)) &&
  (query.cause === undefined || row.cause === query.cause);

/** True if open vulnerabilities reach a severity. */
const reaches = ({ scan }: Review, severity: ReviewsQuery['severity']): boolean => {
  if (severity === undefined) return true;
  const reached =
    severity === 'unrated' ? [severity] : severities.slice(0, severities.indexOf(severity) + 1);
  return reached.some((one) => (scan?.severity[one] ?? 0) > 0);
};

const matches = (review: Review, query: ReviewsQuery): boolean =>
  (query.status === 'all' || review.status === query.status) &&
  (query.issue === undefined || review.issues.some(({ code }) => code === query.issue)) &&
  reaches(review, query.severity) &&
  (query.license_status === undefined || review.license_status === query.license_status) &&
  review.demand >= query.demand;

interface StepContext {
  readonly estimate: ReadEstimate;
  readonly updates: OlderUpdates;
  readonly round: RescanRound | undefined;
}

/** A review, and the sort key of its row. */
interface FoundReview {
  readonly review: Review;
  readonly k: string;
}

/** True if a row follows from a review state. A wrong row would show a version twice, or in another batch. */
const isRowOf = ({ k }: ReviewRow, head: ReviewState, { batch }: ReviewsQuery): boolean =>
  k.startsWith(`${head.submitted_at}#`) && (batch === undefined || head.batches.includes(batch));

/**
 * Returns the reviews of rows that match a query. Wrong rows, and rows without a readable review state, are left out: the
 * integrity check reports them.
 */
const findMatching = async (
  rows: readonly OwnedRow[],
  query: ReviewsQuery,
  { rules, now, estimate, updates, round, ...moment }: ReviewsContext & ReviewMoment & StepContext,
): Promise<FoundReview[]> => {
  const ids = rows.map(({ id }) => id);
  const heads = await findReviewStates(ids, { eventual: true, estimate });
  const known = rows.flatMap(({ row, id }) => {
    const head = heads.get(toVersionKey(id));
    return head && isRowOf(row, head, query) ? [{ k: row.k, head, id }] : [];
  });
  const items = known.map(({ head, id }) => {
    const { status, license, spelling } = head;
    return { ...id, ...spelling, status, license };
  });
  const listed = await showListed(items, heads, { rules, updates, round, now });
  const found = known.flatMap(({ k, head, id: { ecosystem } }, at) => {
    const one = listed[at];
    if (!one) return [];
    const progress = findReviewProgress({ ...head, ecosystem, status: one.status }, moment);
    const batches = [...head.batches];
    return [{ k, review: { ...one, ...progress, batches, demand: countDemand(batches) } }];
  });
  return found.filter(({ review }) => matches(review, query));
};

/** Returns undefined if the work exceeds the read budget, and an earlier step gives the request a result. */
const tryStep = async <T>(work: () => Promise<T>, isFirst: boolean): Promise<T | undefined> => {
  try {
    return await work();
  } catch (error) {
    // Licenses may differ in size: without this, a request from the step before would be refused again and again.
    if (!isFirst && isTooMuchToRead(error)) return undefined;
    throw error;
  }
};

/** Yields the rows of a list after a key, in steps, with the key after which the list continues; undefined at the end. */
async function* readSteps(
  partition: string,
  { after, limit }: { readonly after: string | undefined; readonly limit: number },
) {
  let start = after;
  let size = Math.min(rowsAStep, Math.max(fewestRows, limit));
  do {
    const { items, next } = await readReviewRows(partition, { after: start, limit: rowsACall });
    start = next === undefined ? undefined : items.at(-1)?.k;
    const others = splitInto(rowsAStep, items.slice(size));
    const steps = [items.slice(0, size), ...others].filter(({ length }) => length > 0);
    // A filter may leave out many rows: later steps are whole.
    size = rowsAStep;
    for (const [at, rows] of steps.entries()) {
      yield { rows, next: at < steps.length - 1 ? rows.at(-1)?.k : start };
    }
  } while (start !== undefined);
}

/**
 * Returns the next reviews of a list that match a query, in the order of submission. One request looks at 2,000 rows and
 * reads 500 review states at most, and ends earlier if its read budget is used up. `complete` shows whether it reached the
 * end of the list. A list without a batch leaves out each pending update of which a newer one is pending.
 */
export const listReviews = async (
  query: ReviewsQuery,
  context: ReviewsContext,
): Promise<ReviewPage> => {
  const limit = Math.min(query.limit, maxFullLimit);
  const estimate = createEstimate(largestState);
  const [freeze, updates, round] = await Promise.all([
    readFreeze(),
    findPendingUpdates(query.status),
    findRescanRound(query.status),
  ]);
  // A list without a batch has the newest updates alone.
  const left = query.batch === undefined ? updates : noOlderUpdates;
  const youngest = new Date(context.now.getTime() - query.waiting_days * dayMs).toISOString();
  const found: FoundReview[] = [];
  const keys: string[] = [];
  let states = 0;
  let next: string | undefined;
  const { after } = query;
  for await (const step of readSteps(toReviewsPartition(query.batch), { after, limit })) {
    // Later rows are younger, too.
    const old = step.rows.filter(({ k }) => k.slice(0, youngest.length) <= youngest);
    const rows = old
      .flatMap(findOwner)
      .filter((row) => mayMatch(row, query) && left.findNewer(row.id) === undefined);
    const reviews = await tryStep(
      () => findMatching(rows, query, { ...context, freeze, estimate, updates, round }),
      keys.length === 0,
    );
    if (!reviews) break;
    found.push(...reviews);
    keys.push(...old.map(({ k }) => k));
    states += rows.length;
    next = old.length < step.rows.length ? undefined : step.next;
    const isFull = keys.length > mostLookedAt - rowsAStep || states > mostStates - rowsAStep;
    if (next === undefined || found.length >= limit || isFull) break;
    if (!hasReadUnits(estimate.of(rowsAStep) + otherUnits)) break;
  }
  const reviews = takeFitting(found.slice(0, limit).map(({ review }) => review));
  if (reviews.length < found.length) next = found[reviews.length - 1]?.k;
  const looked_at = next === undefined ? keys.length : keys.indexOf(next) + 1;
  const older_updates = left.all.length;
  return { reviews, looked_at, complete: next === undefined, older_updates, next: next ?? null };
};
