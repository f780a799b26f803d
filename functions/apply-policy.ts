import {
  isCollectingFacts,
  isScanning,
  readApprovalDays,
  readApprovalRules,
} from '../shared/config/env.ts';
import { readReviewPolicy } from '../shared/config/review-policy.ts';
import { applyPolicyToHeads } from '../shared/review/apply-policy-to-heads.ts';
import { HeadStream } from '../shared/schemas/head-stream.ts';
import { ReviewPolicy } from '../shared/schemas/policy.ts';
import { worker } from '../shared/worker/worker.ts';

/** Lies beside the code, and stays as it is for as long as that runs. */
const policy = ReviewPolicy.parse(readReviewPolicy());

export const handler = worker(HeadStream, (stream, deadline) =>
  applyPolicyToHeads(stream, {
    policy,
    rules: { ...readApprovalRules(), approvalDays: readApprovalDays() },
    inquiries: { isScanning: isScanning(), isCollectingFacts: isCollectingFacts() },
    deadline,
  }),
);
