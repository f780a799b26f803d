import type { PackageId } from '../../domain/packages/package-id.ts';
import { findHolder, type PolicyVerdict } from '../../domain/policy/apply-rules.ts';
import { listAwaited, listOutdated, type OwnInquiries } from '../../domain/policy/readiness.ts';
import { type PolicyRule, type ReviewPolicy, toPolicyActor } from '../../domain/policy/rule.ts';
import type { CatalogueTarget } from '../../storage/catalogue/target.ts';
import { transact } from '../../storage/dynamodb/transact.ts';
import type { PackageItem } from '../../storage/packages/package-item.ts';
import { findVersion, VersionChangedError } from '../../storage/packages/write-version.ts';
import { isNameHeld } from '../../storage/recalls/held-recalls.ts';
import { readFreeze } from '../../storage/reviews/freeze.ts';
import { movePolicyDue } from '../../storage/reviews/policy-due.ts';
import { type ReviewState, readReviewState } from '../../storage/reviews/review-state.ts';
import { saveEvaluation } from '../../storage/reviews/review-state-writes.ts';
import type { Deadline } from '../../util/deadline.ts';
import { logEvent } from '../../util/log.ts';
import { findLicenseEvidence } from '../licensing/find-license-evidence.ts';
import { decideAsJudged } from '../review/decide-package.ts';
import type { ApprovalRules, Judgement } from '../review/judge-version.ts';
import { retryOnConflict } from '../review/retry-on-conflict.ts';
import { asRegistry } from '../review/review-context.ts';
import { judgeByPolicy } from './judge-by-policy.ts';

/** Policy, settings and dependencies of a policy run. */
export interface PolicyContext {
  readonly policy: ReviewPolicy;
  /** Settings of the organisation for approvals. */
  readonly rules: ApprovalRules;
  readonly inquiries: OwnInquiries;
  readonly deadline: Deadline;
  readonly catalogue: CatalogueTarget;
  readonly now: Date;
}

/** Outcome for one version: `moot` if the policy does not apply to it, `waiting` if evidence is still missing. */
export type PolicyOutcome = 'decided' | 'left' | 'waiting' | 'moot';

/**
 * True if a version has no decision yet. On other versions, rules could undo a decision by a person, or renew their own
 * for ever.
 */
const isOpen = (version: PackageItem, head: ReviewState): boolean =>
  version.status === 'pending' && version.revision === 0 && head.revision === 0;

const decide = async (
  version: PackageItem,
  judgement: Judgement,
  rule: PolicyRule,
  context: PolicyContext,
): Promise<void> => {
  const { name, then, reason, expires_in_days } = rule;
  await decideAsJudged(
    version,
    {
      judgement,
      request: {
        to: then === 'reject' ? 'rejected' : 'approved',
        by: toPolicyActor(rule),
        ...{ reason, expires_in_days, rules: context.rules },
        rule: name,
      },
      explain: () => new VersionChangedError(version),
    },
    asRegistry(context),
  );
  const { ecosystem, version: number } = version;
  logEvent('info', 'policy_decided', {
    ...{ ecosystem, name: version.name, version: number },
    ...{ rule: name, decision: then },
  });
};

/**
 * Saves that the policy was evaluated, the rule that a freeze stops, and when to evaluate the version again if only its age
 * prevents a decision.
 */
const leave = (
  version: PackageItem,
  head: ReviewState,
  { verdict, frozenRule }: { readonly verdict: PolicyVerdict; readonly frozenRule: string | null },
  { deadline }: PolicyContext,
): Promise<void> => {
  const { again } = verdict;
  return transact(
    [
      saveEvaluation(version, head, {
        ...{ held_by: findHolder(verdict), next_evaluation: again },
        ...((frozenRule ?? head.frozen_rule) && { frozen_rule: frozenRule }),
      }),
      ...movePolicyDue(version, head.next_evaluation, again),
    ],
    deadline,
  );
};

/** Whether a freeze, or a held record that names the package, keeps rules from approving a version. */
interface Obstacles {
  readonly isFrozen: boolean;
  readonly isHeld: boolean;
}

/** Returns what keeps rules from approving a version now. The end of a freeze or of a held record starts a policy run. */
const findObstacles = async (id: PackageId): Promise<Obstacles> => {
  const [freeze, isHeld] = await Promise.all([readFreeze(), isNameHeld(id)]);
  return { isFrozen: freeze !== undefined, isHeld };
};

const noObstacles: Obstacles = { isFrozen: false, isHeld: false };

/**
 * Returns the verdict on a version. An approval with outdated evidence becomes another evaluation, before which the due work
 * renews the evidence: a version that waited for its age or its license may be known as malware by now.
 */
const postponeIfOutdated = (
  verdict: PolicyVerdict,
  version: PackageItem,
  head: ReviewState,
  { inquiries, now }: PolicyContext,
): PolicyVerdict => {
  const { action, rule } = verdict;
  const { ecosystem } = version;
  if (action !== 'approve' || !rule) return verdict;
  if (listOutdated({ ecosystem, ...head }, inquiries, now).length === 0) return verdict;
  return { ...verdict, action: null, again: { at: now.toISOString(), rule: rule.name } };
};

const applyOnce = async (
  id: PackageId,
  context: PolicyContext,
  isAgain: boolean,
): Promise<PolicyOutcome> => {
  const version = await findVersion(id);
  if (!version) return 'moot';
  const head = await readReviewState(version);
  const isEvaluated = head.evaluated_revision === head.evidence_revision;
  if (!isOpen(version, head) || (isEvaluated && !isAgain)) return 'moot';
  const { ecosystem } = version;
  if (listAwaited({ ecosystem, ...head }, context.inquiries).length > 0) return 'waiting';
  const license = (await findLicenseEvidence([head]))(head);
  const { judgement, ...judged } = await judgeByPolicy({ id: version, head, license }, context);
  const isApproval = judged.verdict.action === 'approve';
  const { isFrozen, isHeld } = isApproval ? await findObstacles(version) : noObstacles;
  const isFree = !isFrozen && !isHeld;
  const verdict = isFree
    ? postponeIfOutdated(judged.verdict, version, head, context)
    : judged.verdict;
  const { action, rule } = verdict;
  if (rule && isFree && (action === 'approve' || action === 'reject')) {
    await decide(version, judgement, rule, context);
    return 'decided';
  }
  const frozenRule = isFrozen && rule ? rule.name : null;
  await leave(version, head, { verdict, frozenRule }, context);
  return 'left';
};

/**
 * Applies the policy to a version once all required evidence is known, and less than an hour old for an approval. The decision
 * record holds exactly the evaluated evidence. After an optimistic-lock conflict, the version is evaluated again, or skipped if
 * it has a decision by then. Concurrent calls for one version lead to one decision. During a freeze, and if a held record of
 * malware names the package, a version that would be approved stays pending.
 */
export const applyPolicy = (id: PackageId, context: PolicyContext): Promise<PolicyOutcome> =>
  retryOnConflict(() => applyOnce(id, context, false));

/** Applies the policy as `applyPolicy` does, also if only something besides the version's evidence has changed. */
export const applyPolicyAgain = (id: PackageId, context: PolicyContext): Promise<PolicyOutcome> =>
  retryOnConflict(() => applyOnce(id, context, true));
