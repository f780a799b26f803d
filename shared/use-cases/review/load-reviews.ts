import type { Review } from '../../api/schemas/review.ts';
import { toVersionKey } from '../../domain/packages/package-id.ts';
import type { OwnInquiries } from '../../domain/policy/readiness.ts';
import { findReviewProgress, type ReviewMoment } from '../../domain/policy/review-waits.ts';
import { countDemand } from '../../domain/review/batches.ts';
import type { OlderUpdates } from '../../domain/review/older-updates.ts';
import type { RescanRound } from '../../domain/review/rescan-round.ts';
import type { ReadEstimate } from '../../storage/dynamodb/read.ts';
import { findReviewStates } from '../../storage/reviews/review-state.ts';
import type { ApprovalRules } from './judge-version.ts';
import { showListed } from './show-listed.ts';
import type { ListedRow } from './walk-reviews.ts';

/** Settings and time by which reviews are shown. */
export interface ReviewsContext {
  readonly rules: ApprovalRules;
  readonly inquiries: OwnInquiries;
  readonly now: Date;
}

/** The moment of a request, and what it has read. */
interface LoadContext extends ReviewsContext, ReviewMoment {
  readonly estimate: ReadEstimate;
  readonly updates: OlderUpdates;
  readonly round: RescanRound | undefined;
}

/** A review, and the cursor after which the list continues behind it. */
export interface FoundReview {
  readonly review: Review;
  readonly cursor: string;
}

/**
 * Returns the reviews of some rows. Wrong rows, and rows without a readable review state, are left out: the integrity check
 * reports them.
 */
export const loadReviews = async (
  rows: readonly ListedRow[],
  { rules, now, estimate, updates, round, ...moment }: LoadContext,
): Promise<FoundReview[]> => {
  const ids = rows.map(({ id }) => id);
  const heads = await findReviewStates(ids, { eventual: true, estimate });
  const known = rows.flatMap(({ cursor, id, belongs }) => {
    const head = heads.get(toVersionKey(id));
    return head && belongs(head) ? [{ cursor, head, id }] : [];
  });
  const items = known.map(({ head, id }) => {
    const { status, license, spelling } = head;
    return { ...id, ...spelling, status, license };
  });
  const listed = await showListed(items, heads, { rules, updates, round, now });
  return known.flatMap(({ cursor, head, id: { ecosystem } }, at) => {
    const one = listed[at];
    if (!one) return [];
    const progress = findReviewProgress({ ...head, ecosystem, status: one.status }, moment);
    const batches = [...head.batches];
    return [{ cursor, review: { ...one, ...progress, batches, demand: countDemand(batches) } }];
  });
};
