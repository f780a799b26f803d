import type { Approval, Rejection } from '../schemas/decision.ts';
import type { DecisionRequest } from './decide-package.ts';
import type { ApprovalRules } from './judge-version.ts';

/** What the body of an approval asks for. */
export const toApproval = (
  { approved_by, expected_status, expected_evidence_version, ...approval }: Approval,
  rules: ApprovalRules,
): DecisionRequest => ({
  to: 'approved',
  by: approved_by,
  reason: approval.reason,
  expectedStatus: expected_status,
  expectedEvidenceVersion: expected_evidence_version,
  override: approval.override,
  expires_at: approval.expires_at,
  expires_in_days: approval.expires_in_days,
  rules,
});

/** What the body of a rejection asks for. */
export const toRejection = (
  { rejected_by, reason, expected_status }: Rejection,
  rules: ApprovalRules,
): DecisionRequest => ({
  to: 'rejected',
  by: rejected_by,
  reason,
  expectedStatus: expected_status,
  rules,
});
