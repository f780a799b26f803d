import { findHolder, type PolicyVerdict } from '../../domain/policy/apply-rules.ts';
import type { NextEvaluation } from '../../domain/policy/next-evaluation.ts';
import type { ReviewPolicy } from '../../domain/policy/rule.ts';
import { chooseTarget } from '../../storage/catalogue/target.ts';
import { putAlone } from '../../storage/dynamodb/write-alone.ts';
import {
  type PolicyRun,
  PolicyRunMovedError,
  type PolicyRunState,
  readPolicyRun,
  requestPolicyRun,
  savePolicyRun,
} from '../../storage/reviews/policy-run.ts';
import type { ReviewState } from '../../storage/reviews/review-state.ts';
import { digest } from '../../util/digest.ts';
import { runInParallel } from '../../util/in-parallel.ts';
import { logEvent } from '../../util/log.ts';
import { applyPolicyAgain, type PolicyContext } from './apply-policy.ts';
import { type EvaluatedVersion, evaluateVersions, listVersions } from './evaluate-versions.ts';

const versionsAtATime = 100;
const parallelVersions = 4;

/** Versions of one step. The next step continues from there, in another invocation. */
const mostVersions = 500;

/** Minimum remaining time to start a further batch. */
const reserveMs = 60_000;

/** Returns the digest that differs after a change of the policy. */
const digestPolicy = ({ rules }: ReviewPolicy): string => digest(rules);

const startRun = (policy: string, request: string | null, now: Date): PolicyRun => ({
  ...{ policy, request, after: 0 },
  ...{ started_at: now.toISOString(), saved_at: now.toISOString() },
  ...{ looked_at: 0, approved: 0, rejected: 0, held: 0, undecided: 0, failed: 0 },
});

/** True if a run ended with the current policy, and nothing has been requested since. */
export const isPolicyRunDone = ({ run, request }: PolicyRunState, policy: ReviewPolicy): boolean =>
  run?.policy === digestPolicy(policy) &&
  run.after === null &&
  run.request === (request?.id ?? null);

/** Returns the run with the current policy that has not ended; undefined without one. */
export const findUnfinishedRun = (
  { run }: PolicyRunState,
  policy: ReviewPolicy,
): PolicyRun | undefined =>
  run?.policy === digestPolicy(policy) && run.after !== null ? run : undefined;

/** Returns the run to continue, or a new one; undefined if none is due. */
const findRun = (state: PolicyRunState, policy: ReviewPolicy, now: Date): PolicyRun | undefined => {
  if (isPolicyRunDone(state, policy)) return undefined;
  const unfinished = findUnfinishedRun(state, policy);
  return unfinished ?? startRun(digestPolicy(policy), state.request?.id ?? null, now);
};

const isSameEvaluation = (one: NextEvaluation | null, other: NextEvaluation | null): boolean =>
  one?.at === other?.at && one?.rule === other?.rule;

/** True if the verdict is the result of the last evaluation already, so that nothing has to be written. */
const isKnown = (verdict: PolicyVerdict, head: ReviewState): boolean => {
  const { action, again } = verdict;
  if (action === 'approve' || action === 'reject') return false;
  const isEvaluated = head.evaluated_revision === head.evidence_revision;
  // The rule that a freeze stopped does not match any more.
  const isSameHolder = head.held_by === findHolder(verdict) && !head.frozen_rule;
  return isEvaluated && isSameHolder && isSameEvaluation(head.next_evaluation, again);
};

type Outcome = 'approved' | 'rejected' | 'held' | 'undecided' | 'failed';

/** Applies the verdict on a version, if it is new. A failed version does not affect the others. */
const applyVerdict = async (
  { version, head, verdict }: EvaluatedVersion,
  context: Omit<PolicyContext, 'catalogue'>,
): Promise<Outcome> => {
  if (!head || !verdict) return 'undecided';
  const left = findHolder(verdict) === null ? 'undecided' : 'held';
  if (isKnown(verdict, head)) return left;
  const { ecosystem, name, version: number } = version;
  const id = { ecosystem, name, version: number };
  try {
    const outcome = await applyPolicyAgain(id, { ...context, catalogue: chooseTarget() });
    if (outcome !== 'decided') return left;
    return verdict.action === 'reject' ? 'rejected' : 'approved';
  } catch (error) {
    logEvent('error', 'policy_not_applied', { ...id, error });
    return 'failed';
  }
};

const countOutcomes = (run: PolicyRun, outcomes: readonly Outcome[]): PolicyRun => {
  const count = (wanted: Outcome): number => outcomes.filter((one) => one === wanted).length;
  return {
    ...run,
    looked_at: run.looked_at + outcomes.length,
    approved: run.approved + count('approved'),
    rejected: run.rejected + count('rejected'),
    held: run.held + count('held'),
    undecided: run.undecided + count('undecided'),
    failed: run.failed + count('failed'),
  };
};

type RunContext = Omit<PolicyContext, 'now' | 'catalogue'>;

/** Evaluates some pending versions, and returns the progress of the run. */
const doStep = async (started: PolicyRun, context: RunContext): Promise<PolicyRun> => {
  let run = started;
  for (let done = 0; done < mostVersions && run.after !== null; done += versionsAtATime) {
    if (done > 0 && context.deadline.remainingMs() < reserveMs) break;
    const now = new Date();
    const pending = await listVersions('pending', run.after, versionsAtATime);
    const evaluated = await evaluateVersions(pending, { ...context, now });
    const outcomes = await runInParallel(evaluated, parallelVersions, (one) =>
      applyVerdict(one, { ...context, now }),
    );
    const isLast = pending.length < versionsAtATime;
    run = {
      ...countOutcomes(run, outcomes),
      after: isLast ? null : (pending.at(-1)?.sequence ?? null),
    };
  }
  return { ...run, saved_at: new Date().toISOString() };
};

/**
 * Continues the run of the policy over all pending versions, or starts one after a change of the policy or a request. Each
 * call evaluates at most 500 versions and saves the progress. The saved progress is a record in the stream of the reviews,
 * which starts the next call. A run that is done costs two reads.
 */
export const continuePolicyRun = async (context: RunContext): Promise<void> => {
  const state = await readPolicyRun();
  const run = findRun(state, context.policy, new Date());
  if (!run) return;
  const next = await doStep(run, context);
  try {
    await savePolicyRun(state.run, next);
  } catch (error) {
    // The other invocation continues the run.
    if (error instanceof PolicyRunMovedError) return;
    throw error;
  }
  const { policy: _, request: __, saved_at: ___, after, ...counts } = next;
  logEvent('info', 'policy_run', { ...counts, done: after === null });
};

/** Without a request or a saved step for this long, no record in the stream starts the next step. */
const stalledMs = 2 * 60_000;

const findLastMoment = ({ run, request }: PolicyRunState): number =>
  Math.max(...[run?.saved_at, request?.at].map((at) => (at ? Date.parse(at) : 0)));

/**
 * Requests a run if one is due that no record in the stream starts: after a deployment with another policy, or after failed
 * steps. Costs two reads otherwise, and nothing without rules.
 */
export const startDuePolicyRun = async (policy: ReviewPolicy, now: Date): Promise<void> => {
  if (policy.rules.length === 0) return;
  const state = await readPolicyRun();
  const isIdle = now.getTime() - findLastMoment(state) >= stalledMs;
  if (isPolicyRunDone(state, policy) || !isIdle) return;
  await putAlone(requestPolicyRun(now));
};
