import type { Approval, Rejection } from '../../api/schemas/decision.ts';
import { checkDeciderName, type NameGiver } from '../../domain/tokens/given-name.ts';
import type { DecisionRequest } from './decide-package.ts';
import type { ApprovalRules } from './judge-version.ts';

/**
 * Returns the decision that the body of an approval requests.
 * @throws {RegistryError} `validation_failed` for a name that could impersonate another person
 */
export const toApproval = (
  { approved_by, expected_status, expected_evidence_version, ...approval }: Approval,
  rules: ApprovalRules,
  giver: NameGiver,
): DecisionRequest => {
  checkDeciderName({ field: 'approved_by', name: approved_by }, giver, rules);
  return {
    to: 'approved',
    by: approved_by,
    reason: approval.reason,
    expectedStatus: expected_status,
    expectedEvidenceVersion: expected_evidence_version,
    override: approval.override,
    acceptRecall: approval.accept_recall,
    expires_at: approval.expires_at,
    expires_in_days: approval.expires_in_days,
    keep: approval.keep,
    rules,
  };
};

/**
 * Returns the decision that the body of a rejection requests.
 * @throws {RegistryError} `validation_failed` for a name that could impersonate another person
 */
export const toRejection = (
  { rejected_by, reason, expected_status }: Rejection,
  rules: ApprovalRules,
  giver: NameGiver,
): DecisionRequest => {
  checkDeciderName({ field: 'rejected_by', name: rejected_by }, giver, rules);
  return {
    to: 'rejected',
    by: rejected_by,
    reason,
    expectedStatus: expected_status,
    rules,
  };
};
