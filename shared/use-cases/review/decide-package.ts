import { RegistryError } from '../../domain/errors.ts';
import { formatPackage } from '../../domain/packages/format-package.ts';
import type { PackageSelector } from '../../domain/packages/package-id.ts';
import { isRecall } from '../../domain/recalls/recall.ts';
import { checkIssues, type Override, refuseRecalled } from '../../domain/review/approval.ts';
import {
  asksForExpiry,
  chooseExpiry,
  type ExpiryRequest,
} from '../../domain/review/choose-expiry.ts';
import { checkDecision } from '../../domain/review/decision.ts';
import { findEarlierDecision, hasExpired, showAt } from '../../domain/review/expiry.ts';
import { listOpenRecords } from '../../domain/review/malware-records.ts';
import { checkReviewer } from '../../domain/review/reviewer.ts';
import type { Decision, Status } from '../../domain/review/status.ts';
import { defaultScanPolicy } from '../../domain/vulnerabilities/verdict.ts';
import { selectForWrite } from '../../storage/packages/find-versions.ts';
import {
  type PackageItem,
  toDetail,
  type VersionDetail,
} from '../../storage/packages/package-item.ts';
import { VersionChangedError } from '../../storage/packages/write-version.ts';
import { endRecall } from '../../storage/recalls/recall-rows.ts';
import type { ReviewState } from '../../storage/reviews/review-state.ts';
import { changeStatus, findAttention, findNextMoment, type StatusChange } from './change-status.ts';
import { checkEvidenceVersion, findEvidenceVersion } from './evidence-version.ts';
import { expirePackage } from './expire-package.ts';
import { type ApprovalRules, type Judgement, judgeVersion } from './judge-version.ts';
import { retryOnConflict } from './retry-on-conflict.ts';
import type { ReviewContext } from './review-context.ts';

/** A decision to make on a version. */
export interface DecisionRequest extends ExpiryRequest {
  readonly to: Decision;
  /** Name of the decider from the request body; the token's label if omitted. */
  readonly by: string | null | undefined;
  readonly reason?: string | null | undefined;
  /** Status that the version must have; any if omitted. */
  readonly expectedStatus?: Status | null | undefined;
  /** Blocking issues that this approval overrides; none if omitted. */
  readonly override?: Override | null | undefined;
  /** Evidence version that the reviewer saw; any if omitted. */
  readonly expectedEvidenceVersion?: string | null | undefined;
  /** True to leave an existing approval and its expiry date unchanged. */
  readonly keep?: boolean | null | undefined;
  /** True if the token may decide only on its own submissions that have no decision yet. */
  readonly ownOnly?: boolean;
  /** Settings of the organisation for approvals; none if omitted. */
  readonly rules?: ApprovalRules;
  /** Record of malware that names the version, and that this approval accepts; none if omitted. */
  readonly acceptRecall?: string | null | undefined;
  /** Name of the policy rule, if a rule decides instead of a person. */
  readonly rule?: string;
}

/** Returns the change of a version's recalls by a decision. An approval accepts all open records of malware. */
const settleRecall = (
  { recall, accepted_recalls = [] }: ReviewState,
  { to }: DecisionRequest,
  records: readonly string[],
): Pick<StatusChange, 'recalls'> => {
  const ended = recall ? { recall: null } : {};
  const accepts = to === 'approved' && records.length > 0;
  const accepted = accepts ? { accepted_recalls: [...accepted_recalls, ...records] } : {};
  return { recalls: { ...ended, ...accepted } };
};

/** Returns a version after a decision. */
export const toDecidedDetail = (
  current: PackageItem,
  request: Pick<DecisionRequest, 'to' | 'reason'>,
  decided: {
    readonly by: string | null;
    readonly token_label: string | null;
    readonly at: string;
    readonly expires_at: string | null;
  },
): VersionDetail => {
  const { by, token_label, at, expires_at } = decided;
  const isApproval = request.to === 'approved';
  return {
    ...toDetail(current),
    status: request.to,
    approved_by: isApproval ? by : null,
    approved_token_label: isApproval ? token_label : null,
    approved_at: isApproval ? at : null,
    rejected_by: isApproval ? null : by,
    rejected_token_label: isApproval ? null : token_label,
    rejected_at: isApproval ? null : at,
    reason: request.reason ?? null,
    expires_at,
    previous: findEarlierDecision(current),
  };
};

/**
 * Returns the error after a lost race: a conflict after another decision; a retryable error after an expiry or a new
 * sequence number.
 */
const explainLostRace =
  (known: PackageItem) =>
  (stored: PackageItem | undefined): Error =>
    stored?.revision === known.revision || stored?.status === 'pending'
      ? new VersionChangedError(known)
      : new RegistryError(
          'decision_conflict',
          `Someone else decided on ${formatPackage(known)} at the same moment; it is ${stored?.status} now. Nothing was changed.`,
        );

/** Returns the time in seconds that a version waited for its first decision; nothing for later decisions. */
const measureWait = (current: PackageItem, at: string): { waited_seconds?: number } => {
  if (current.revision > 0) return {};
  const ms = Date.parse(at) - Date.parse(current.submitted_at);
  return { waited_seconds: Math.round(ms / 1000) };
};

/** Returns the expiry date of an approval: the existing one if `keep` is set. */
const findExpiry = (current: PackageItem, request: DecisionRequest, now: Date): string | null =>
  request.keep ? current.expires_at : chooseExpiry(request, { ...request.rules, now });

/**
 * Checks that an approval is based on the present evidence, accepts the records of malware, and overrides all other issues.
 * @throws {RegistryError} if the evidence has changed, or something blocks the approval
 */
const checkApproval = (
  current: PackageItem,
  { judgement, records }: { readonly judgement: Judgement; readonly records: readonly string[] },
  { expectedEvidenceVersion, acceptRecall, override }: DecisionRequest,
  now: Date,
): void => {
  checkEvidenceVersion(current, { judgement, now, expected: expectedEvidenceVersion });
  const { head, issues } = judgement;
  if (head.recall && acceptRecall !== records[0]) throw refuseRecalled(current, records);
  checkIssues(current, issues, { override: override ?? false, records, acceptRecall });
};

/**
 * Returns the status change that a decision writes, computed from the judged evidence.
 * @throws {RegistryError} if the evidence has changed, or a blocking issue is not overridden
 */
const prepareDecision = (
  current: PackageItem,
  judgement: Judgement,
  request: DecisionRequest,
  { actor, now }: ReviewContext,
) => {
  const { head, evidence, issues } = judgement;
  const { rules = {} } = request;
  const isApproval = request.to === 'approved';
  const expires_at = isApproval ? findExpiry(current, request, now) : null;
  const records = isApproval ? listOpenRecords(head) : [];
  if (isApproval) checkApproval(current, { judgement, records }, request, now);
  const at = findNextMoment(head, now);
  const by = request.by ?? actor.label;
  const decided = { by, token_label: actor.label, at, expires_at };
  const detail = toDecidedDetail(current, request, decided);
  const [record] = records;
  const settled = settleRecall(head, request, records);
  const facts = {
    type: `package.${request.to}`,
    by,
    reason: detail.reason,
    overridden: isApproval ? issues.filter(({ blocks }) => blocks).map(({ code }) => code) : [],
    expires_at,
    evidence,
    evidence_version: findEvidenceVersion(judgement, now),
    ...(request.rule !== undefined && { rule: request.rule }),
    ...(record !== undefined && { recall: record }),
    ...measureWait(current, at),
  } as const;
  const policy = rules.scanPolicy ?? defaultScanPolicy;
  const attention = findAttention({ current, head, detail, ...settled }, { now, policy });
  const further = head.recall ? endRecall({ id: current, recall: head.recall }, at) : [];
  return {
    current,
    head,
    detail,
    at,
    attention,
    facts,
    further,
    ...settled,
  };
};

/**
 * Decides on a version only if its judged evidence is still current. `explain` makes the error after a concurrent decision.
 * @throws {EvidenceChangedError} if the evidence has changed since
 */
export const decideAsJudged = async (
  current: PackageItem,
  {
    judgement,
    request,
    explain,
  }: {
    readonly judgement: Judgement;
    readonly request: DecisionRequest;
    readonly explain: (stored: PackageItem | undefined) => Error;
  },
  context: ReviewContext,
): Promise<VersionDetail> => {
  const prepared = prepareDecision(current, judgement, request, context);
  await changeStatus({ ...prepared, explain }, context);
  return prepared.detail;
};

/** Tries once to decide on the current state of a version. */
const decideOnce = async (
  selector: PackageSelector,
  request: DecisionRequest,
  context: ReviewContext,
): Promise<VersionDetail> => {
  const current = await selectForWrite(selector);
  const { to, reason, rules = {}, ownOnly = false } = request;
  const { actor, now } = context;
  const intent = { actor, to, reason, fourEyes: rules.fourEyes ?? false, ownOnly };
  checkReviewer(showAt(current, now), intent);
  if (hasExpired(current, now)) {
    await expirePackage(current, context);
    throw new VersionChangedError(current);
  }
  const keeps = request.keep ?? false;
  const isRecalled = isRecall(current);
  checkDecision(current, { ...request, keeps, renews: asksForExpiry(request), isRecalled });
  const judgement = await judgeVersion(current, rules, now);
  return decideAsJudged(
    current,
    { judgement, request, explain: explainLostRace(current) },
    context,
  );
};

/** Approves or rejects the selected version, and writes the decision record in the same transaction. */
export const decidePackage = (
  selector: PackageSelector,
  request: DecisionRequest,
  context: ReviewContext,
): Promise<VersionDetail> => retryOnConflict(() => decideOnce(selector, request, context));
