import { policyRunPartition } from '../../api/resources.ts';
import type { PackageId } from '../../domain/packages/package-id.ts';
import { listAwaited, type OwnInquiries } from '../../domain/policy/readiness.ts';
import { dependsOnOtherVersions } from '../../domain/policy/rule.ts';
import type { BatchAnswer } from '../../platform/worker/batch-answer.ts';
import {
  ApprovalChangeImages,
  AwaitingImage,
  PendingReviewStateImage,
  type ReviewStateStream,
} from '../../platform/worker/events/head-stream.ts';
import { chooseTarget } from '../../storage/catalogue/target.ts';
import { findNewestVersions } from '../../storage/packages/find-versions.ts';
import { parseVersionKey } from '../../storage/packages/parse-version-key.ts';
import { parseImage } from '../../storage/reviews/parse-image.ts';
import { applyPolicy, applyPolicyAgain, type PolicyContext } from './apply-policy.ts';
import { handleReviewStateChanges } from './change-batch.ts';
import { continuePolicyRun } from './continue-policy-run.ts';

type HeadRecord = ReviewStateStream['Records'][number];
type ChangesContext = Omit<PolicyContext, 'now' | 'catalogue'>;

/** True if the review state shows that the policy was evaluated already. A repeated record then costs nothing. */
const isJudged = ({ dynamodb }: HeadRecord): boolean => {
  const { data: head } = PendingReviewStateImage.safeParse(dynamodb.NewImage);
  return head !== undefined && head.evaluated_revision.N === head.evidence_revision.N;
};

/**
 * True if the review state shows that the version waits for automatic checks. Their result is another change, so that this
 * one costs nothing.
 */
const isAwaiting = ({ dynamodb }: HeadRecord, inquiries: OwnInquiries): boolean => {
  const { v } = dynamodb.Keys;
  const id = parseVersionKey(v.S);
  const { data: image } = AwaitingImage.safeParse(dynamodb.NewImage);
  if (!id || !image) return false;
  return listAwaited({ ecosystem: id.ecosystem, ...parseImage(image) }, inquiries).length > 0;
};

/** True if the version was approved, or its approval ended. */
const isApprovalChange = ({ dynamodb }: HeadRecord): boolean => {
  const { data } = ApprovalChangeImages.safeParse(dynamodb);
  const [before, after] = [data?.OldImage.status.S, data?.NewImage.status.S];
  return before !== after && [before, after].includes('approved');
};

/** Pending versions of one package that are evaluated again; the newest ones. */
const mostSiblings = 100;

/** Applies the policy again to the pending versions of a package, after a decision on another version. */
const applyToSiblings = async (
  { ecosystem, name }: PackageId,
  context: ChangesContext,
): Promise<void> => {
  const selector = { ecosystem, name, status: 'pending' } as const;
  for (const sibling of await findNewestVersions(selector, mostSiblings)) {
    await applyPolicyAgain(sibling, { ...context, now: new Date(), catalogue: chooseTarget() });
  }
};

/**
 * Applies the policy to all versions whose review state changed, to the pending versions of packages of which another
 * version was approved, and to all pending versions during a run.
 * @throws {Error} if it failed for the first record of the batch
 */
export const applyPolicyToChanges = (
  stream: ReviewStateStream,
  context: ChangesContext,
): Promise<BatchAnswer> => {
  const approvals = new Set(
    stream.Records.filter(isApprovalChange).map(({ dynamodb }) => dynamodb.Keys.v.S),
  );
  return handleReviewStateChanges(stream, {
    isIdle: (record) =>
      (isJudged(record) || isAwaiting(record, context.inquiries)) && !isApprovalChange(record),
    what: 'evaluated',
    deadline: context.deadline,
    work: async (key) => {
      if (key === policyRunPartition) return continuePolicyRun(context);
      const id = parseVersionKey(key);
      // An unreadable key belongs to no version, and a retry would not change that.
      if (!id) return undefined;
      if (approvals.has(key) && dependsOnOtherVersions(context.policy)) {
        await applyToSiblings(id, context);
      }
      return applyPolicy(id, { ...context, now: new Date(), catalogue: chooseTarget() });
    },
  });
};
