import {
  readApprovalDays,
  readApprovalRules,
  readOwnInquiries,
} from '../shared/api/settings/env.ts';
import { readReviewPolicy } from '../shared/api/settings/review-policy.ts';
import { ReviewStateStream } from '../shared/platform/worker/events/head-stream.ts';
import { worker } from '../shared/platform/worker/worker.ts';
import { applyPolicyToChanges } from '../shared/use-cases/policy/apply-policy-to-changes.ts';

const policy = readReviewPolicy();

export const handler = worker(ReviewStateStream, (stream, deadline) =>
  applyPolicyToChanges(stream, {
    policy,
    rules: { ...readApprovalRules(), approvalDays: readApprovalDays() },
    inquiries: readOwnInquiries(),
    deadline,
  }),
);
