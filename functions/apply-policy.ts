import { ReviewPolicy } from '../shared/api/schemas/policy.ts';
import {
  isCollectingFacts,
  isScanning,
  readApprovalDays,
  readApprovalRules,
} from '../shared/api/settings/env.ts';
import { readReviewPolicy } from '../shared/api/settings/review-policy.ts';
import { HeadStream } from '../shared/platform/worker/events/head-stream.ts';
import { worker } from '../shared/platform/worker/worker.ts';
import { applyPolicyToHeads } from '../shared/use-cases/policy/apply-policy-to-changes.ts';

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
