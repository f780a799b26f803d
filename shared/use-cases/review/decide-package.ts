import type { PackageDetail } from '../../api/schemas/package.ts';
import { RegistryError } from '../../domain/errors.ts';
import { clearRepublished, findWithdrawal } from '../../domain/facts/summary.ts';
import type { PackageSelector } from '../../domain/packages/package-id.ts';
import { checkObjections, type Override } from '../../domain/review/approval.ts';
import {
  asksForExpiry,
  chooseExpiry,
  type ExpiryRequest,
} from '../../domain/review/choose-expiry.ts';
import { checkDecision } from '../../domain/review/decision.ts';
import { findEarlierDecision, hasExpired, showAt } from '../../domain/review/expiry.ts';
import { checkReviewer } from '../../domain/review/reviewer.ts';
import type { Decision, Status } from '../../domain/review/status.ts';
import { defaultScanPolicy } from '../../domain/vulnerabilities/verdict.ts';
import { selectForWrite } from '../../storage/packages/find-versions.ts';
import { type PackageItem, toDetail } from '../../storage/packages/package-item.ts';
import { VersionChangedError } from '../../storage/packages/write-version.ts';
import { makeAttentionRow } from '../../storage/reviews/attention.ts';
import { changeStatus, findNextMoment } from './change-status.ts';
import { checkEvidenceVersion } from './evidence-version.ts';
import { expirePackage } from './expire-package.ts';
import { type ApprovalRules, type Judgement, judgeVersion } from './judge-version.ts';
import { retryOnConflict } from './retry-on-conflict.ts';
import type { ReviewContext } from './review-context.ts';

/** What a reviewer decides. */
export interface DecisionRequest extends ExpiryRequest {
  readonly to: Decision;
  /** The name that the body gives; the token's label stands in for it. */
  readonly by: string | null | undefined;
  readonly reason?: string | null | undefined;
  /** Where the version must stand; anywhere, if not given. */
  readonly expectedStatus?: Status | null | undefined;
  /** Which blocking issues to approve it in spite of; none, if not given. */
  readonly override?: Override | null | undefined;
  /** The version of the evidence that the approval was decided by; any, if not given. */
  readonly expectedEvidenceVersion?: string | null | undefined;
  /** Whether an approval that is in force is kept as it is. */
  readonly keep?: boolean | null | undefined;
  /** Whether it can only be about what the same token submitted, and what nobody has decided on. */
  readonly ownOnly?: boolean;
  /** What the organisation demands of approvals; nothing, if not given. */
  readonly rules?: ApprovalRules;
  /** The rule of the policy that decides, where no person does. */
  readonly rule?: string;
}

const toDecidedDetail = (
  current: PackageItem,
  request: DecisionRequest,
  decided: {
    readonly by: string | null;
    readonly token_label: string | null;
    readonly at: string;
    readonly expires_at: string | null;
  },
): PackageDetail => {
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

/** Another decision came first; or only the integrity check, which gave the version another place, or the end of an approval. */
const explainLostRace =
  (known: PackageItem) =>
  (stored: PackageItem | undefined): Error =>
    stored?.revision === known.revision || stored?.status === 'pending'
      ? new VersionChangedError(known)
      : new RegistryError(
          'decision_conflict',
          `Someone else decided on ${known.name} ${known.version} at the same moment; it is ${stored?.status} now. Nothing was changed.`,
        );

/** How long a version that was never decided has waited; of any other it says nothing. */
const measureWait = (current: PackageItem, at: string): { waited_seconds?: number } => {
  if (current.revision > 0) return {};
  const ms = Date.parse(at) - Date.parse(current.submitted_at);
  return { waited_seconds: Math.round(ms / 1000) };
};

/** Returns the end of an approval: the end that it has where it is kept. */
const findExpiry = (current: PackageItem, request: DecisionRequest, now: Date): string | null =>
  request.keep ? current.expires_at : chooseExpiry(request, { ...request.rules, now });

/** What is to be written, by what is known of the version at this moment. */
const prepareDecision = (
  current: PackageItem,
  judgement: Judgement,
  request: DecisionRequest,
  { actor, now }: ReviewContext,
) => {
  const { head, evidence, objections } = judgement;
  const { rules = {} } = request;
  const isApproval = request.to === 'approved';
  const expires_at = isApproval ? findExpiry(current, request, now) : null;
  if (isApproval) {
    checkEvidenceVersion(current, { judgement, now, expected: request.expectedEvidenceVersion });
    checkObjections(current, objections, request.override ?? false);
  }
  const at = findNextMoment(head, now);
  const by = request.by ?? actor.label;
  const decided = { by, token_label: actor.label, at, expires_at };
  const detail = toDecidedDetail(current, request, decided);
  const facts = {
    type: `package.${request.to}`,
    by,
    reason: detail.reason,
    overridden: isApproval ? objections.filter(({ blocks }) => blocks).map(({ code }) => code) : [],
    expires_at,
    evidence,
    ...(request.rule !== undefined && { rule: request.rule }),
    ...measureWait(current, at),
  } as const;
  const attention = makeAttentionRow(
    current,
    {
      ...head,
      ...{ status: detail.status, expires_at, facts: clearRepublished(head.facts) },
      known_withdrawal: findWithdrawal(head.facts),
    },
    { now, policy: rules.scanPolicy ?? defaultScanPolicy },
  );
  return { current, head, detail, at, attention, facts };
};

/**
 * Decides on a version as it was judged, or not at all: `explain` makes the error where somebody else decided first.
 * @throws {EvidenceMovedError} where more became known of it since
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
): Promise<PackageDetail> => {
  const prepared = prepareDecision(current, judgement, request, context);
  await changeStatus({ ...prepared, explain }, context);
  return prepared.detail;
};

/** Decides on the version as it stands at this moment. */
const decideOnce = async (
  selector: PackageSelector,
  request: DecisionRequest,
  context: ReviewContext,
): Promise<PackageDetail> => {
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
  checkDecision(current, { ...request, keeps, renews: asksForExpiry(request) });
  const judgement = await judgeVersion(current, rules, now);
  return decideAsJudged(
    current,
    { judgement, request, explain: explainLostRace(current) },
    context,
  );
};

/** Approves or rejects the version that the selector means, and keeps a record of it in the same transaction. */
export const decidePackage = (
  selector: PackageSelector,
  request: DecisionRequest,
  context: ReviewContext,
): Promise<PackageDetail> => retryOnConflict(() => decideOnce(selector, request, context));
