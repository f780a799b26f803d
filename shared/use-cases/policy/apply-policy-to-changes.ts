import type { BatchAnswer } from '../../platform/worker/batch-answer.ts';
import { type HeadStream, PendingHeadImage } from '../../platform/worker/events/head-stream.ts';
import { chooseTarget } from '../../storage/catalogue/target.ts';
import { parseVersionKey } from '../../storage/packages/parse-version-key.ts';
import { applyPolicy, type PolicyContext } from './apply-policy.ts';
import { workOnHeads } from './change-batch.ts';

type HeadRecord = HeadStream['Records'][number];

/** Whether rules have looked at a version already, as far as its head tells: what comes again costs nothing then. */
const isJudged = ({ dynamodb }: HeadRecord): boolean => {
  const { data: head } = PendingHeadImage.safeParse(dynamodb.NewImage);
  return head !== undefined && head.judged.N === head.evidence.N;
};

/**
 * Has rules decide on the versions whose heads changed.
 * @throws {Error} where that failed for the first of all
 */
export const applyPolicyToHeads = (
  stream: HeadStream,
  context: Omit<PolicyContext, 'now' | 'catalogue'>,
): Promise<BatchAnswer> =>
  workOnHeads(stream, {
    isIdle: isJudged,
    what: 'judged',
    deadline: context.deadline,
    work: async (key) => {
      const id = parseVersionKey(key);
      // No version can have such a head, and none comes of trying again.
      if (id) await applyPolicy(id, { ...context, now: new Date(), catalogue: chooseTarget() });
    },
  });
