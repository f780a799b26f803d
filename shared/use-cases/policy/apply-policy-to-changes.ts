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

/** Whether rules have looked at a version already, as far as its head tells: what comes again costs nothing then. */
const isJudged = ({ dynamodb }: HeadRecord): boolean => {
  const { data: head } = PendingReviewStateImage.safeParse(dynamodb.NewImage);
  return head !== undefined && head.evaluated_revision.N === head.evidence_revision.N;
};

/**
 * Has rules decide on the versions whose heads changed.
 * @throws {Error} where that failed for the first of all
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
      // No version can have such a head, and none comes of trying again.
      if (id) await applyPolicy(id, { ...context, now: new Date(), catalogue: chooseTarget() });
    },
  });
