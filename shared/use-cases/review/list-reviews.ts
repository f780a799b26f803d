import type { Review, ReviewPage } from '../../api/schemas/review.ts';
import type { ReviewsQuery } from '../../api/schemas/reviews-query.ts';
import { takeFitting } from '../../domain/answer-size.ts';
import { type PackageId, toVersionKey } from '../../domain/packages/package-id.ts';
import type { OwnInquiries } from '../../domain/policy/readiness.ts';
import { findReviewProgress } from '../../domain/policy/review-waits.ts';
import { countDemand } from '../../domain/review/batches.ts';
import { statusAt } from '../../domain/review/expiry.ts';
import { severities } from '../../domain/vulnerabilities/severity.ts';
import { createEstimate } from '../../storage/dynamodb/read.ts';
import { hasReadUnits } from '../../storage/dynamodb/read-budget.ts';
import {
  type ReviewRow,
  readReviewRows,
  toReviewsPartition,
} from '../../storage/reviews/review-rows.ts';
import { findReviewStates, type ReviewState } from '../../storage/reviews/review-state.ts';
import { dayMs } from '../../util/duration.ts';
import type { ApprovalRules } from './judge-version.ts';
import { showListed } from './show-listed.ts';

/** Maximum number of rows that one request looks at. */
export const mostLookedAt = 500;

/** Rows of one step: their review states take one call. */
const rowsAStep = 50;

/** Read units of the largest review state, read with eventual consistency. */
const largestState = 10;

/** Read units of a step besides those of review states: its rows, and its licenses. */
const otherUnits = 100;

interface ReviewsContext {
  readonly rules: ApprovalRules;
  readonly inquiries: OwnInquiries;
  readonly now: Date;
}

/** True if a row may match, by the fields that never change. The others follow from the review state. */
const mayMatch = (
  { ecosystem, submitted_by, submitter }: ReviewRow,
  query: ReviewsQuery,
): boolean => {
  const isWanted = query.ecosystem === undefined || ecosystem === query.ecosystem;
  return (
    isWanted &&
    (query.submitter === undefined || [submitted_by, submitter].includes(query.submitter))
  );
};

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

/** Returns the reviews of rows. Rows without a readable review state are left out: the integrity check reports them. */
const showReviews = async (
  rows: readonly ReviewRow[],
  heads: ReadonlyMap<string, ReviewState>,
  { rules, inquiries, now }: ReviewsContext,
): Promise<Review[]> => {
  const known = rows.flatMap((row) => {
    const head = heads.get(toVersionKey(row));
    return head ? [{ row, head }] : [];
  });
  const items = known.map(({ row: { name, version, ecosystem, status }, head }) => ({
    ...{ name, version, ecosystem, status },
    license: head.license,
  }));
  const listed = await showListed(items, heads, { rules, now });
  return listed.flatMap((one, at) => {
    const { head } = known[at] ?? {};
    if (!head) return [];
    const status = statusAt(head, now);
    const progress = findReviewProgress({ ...head, ecosystem: one.ecosystem, status }, inquiries);
    const batches = [...head.batches];
    return [{ ...one, ...progress, batches, demand: countDemand(batches) }];
  });
};

const toSortKey = (row: ReviewRow): string => row.k;

/**
 * Returns the next reviews of a list that match a query, in the order of submission. One request looks at 500 rows at most,
 * and ends earlier if its read budget is used up. `complete` shows whether it reached the end of the list.
 */
export const listReviews = async (
  query: ReviewsQuery,
  context: ReviewsContext,
): Promise<ReviewPage> => {
  const estimate = createEstimate(largestState);
  const before = new Date(context.now.getTime() - query.waiting_days * dayMs).toISOString();
  const partition = toReviewsPartition(query.batch);
  const found: { readonly review: Review; readonly k: string }[] = [];
  let after = query.after;
  let looked_at = 0;
  let complete = false;
  const goesOn = (): boolean =>
    !complete &&
    found.length < query.limit &&
    looked_at < mostLookedAt &&
    (looked_at === 0 || hasReadUnits(estimate.of(rowsAStep) + otherUnits));
  while (goesOn()) {
    const { items, next } = await readReviewRows(partition, { after, limit: rowsAStep });
    // Later rows are younger, too.
    const old = items.filter(({ k }) => k < before || k.startsWith(before));
    const rows = old.filter((row) => mayMatch(row, query));
    const heads = await findReviewStates(rows as readonly PackageId[], {
      eventual: true,
      estimate,
    });
    const keys = new Map(rows.map((row) => [toVersionKey(row), toSortKey(row)]));
    const reviews = await showReviews(rows, heads, context);
    for (const review of reviews.filter((one) => matches(one, query))) {
      found.push({ review, k: keys.get(toVersionKey(review)) ?? '' });
    }
    looked_at += old.length;
    complete = next === undefined || old.length < items.length;
    after = items.at(-1)?.k ?? after;
  }
  const shown = found.slice(0, query.limit);
  const fitting = takeFitting(shown.map(({ review }) => review));
  const isCut = fitting.length < found.length;
  return {
    reviews: fitting,
    looked_at,
    complete: complete && !isCut,
    next: isCut ? (shown[fitting.length - 1]?.k ?? null) : complete ? null : (after ?? null),
  };
};
