import type { BatchAnswer } from '../../platform/worker/batch-answer.ts';
import {
  PendingReviewStateImage,
  type ReviewStateStream,
} from '../../platform/worker/events/head-stream.ts';
import { chooseTarget } from '../../storage/catalogue/target.ts';
import { parseVersionKey } from '../../storage/packages/parse-version-key.ts';
import { applyPolicy, type PolicyContext } from './apply-policy.ts';
import { handleReviewStateChanges } from './change-batch.ts';

type HeadRecord = ReviewStateStream['Records'][number];

/** True if the review state shows that the policy was evaluated already. A repeated record then costs nothing. */
const isJudged = ({ dynamodb }: HeadRecord): boolean => {
  const { data: head } = PendingReviewStateImage.safeParse(dynamodb.NewImage);
  return head !== undefined && head.evaluated_revision.N === head.evidence_revision.N;
};

/**
 * Applies the policy to all versions whose review state changed.
 * @throws {Error} if it failed for the first record of the batch
 */
export const applyPolicyToChanges = (
  stream: ReviewStateStream,
  context: Omit<PolicyContext, 'now' | 'catalogue'>,
): Promise<BatchAnswer> =>
  handleReviewStateChanges(stream, {
    isIdle: isJudged,
    what: 'evaluated',
    deadline: context.deadline,
    work: async (key) => {
      const id = parseVersionKey(key);
      // An unreadable key belongs to no version, and a retry would not change that.
      if (id) await applyPolicy(id, { ...context, now: new Date(), catalogue: chooseTarget() });
    },
  });
