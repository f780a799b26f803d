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

export const handler = worker(HeadStream, (stream, deadline) =>
  applyPolicyToHeads(stream, {
    policy: ReviewPolicy.parse(readReviewPolicy()),
    rules: { ...readApprovalRules(), approvalDays: readApprovalDays() },
    inquiries: { isScanning: isScanning(), isCollectingFacts: isCollectingFacts() },
    deadline,
  }),
);
