import type { RegistryClient } from '../../shared/api/client/operations.ts';
import { RequestError } from '../../shared/api/client/request-error.ts';
import { toRequestError } from '../api/to-request-error.ts';
import { announce } from '../state/announcements.ts';
import { refreshLists } from '../state/list-refresh.ts';
import { type Action, actions } from './actions.ts';
import { type DecisionRequest, describeRequest } from './decision-requests.ts';
import { removeOpenRequest, setStage } from './open-requests.ts';
import { findOutcome, updateOutcomes } from './outcomes.ts';
import { recordDecisions } from './record-decision.ts';
import { isUnconfirmed, type UnconfirmedDecisions, verifyDecisions } from './verify-decisions.ts';

type Decision = DecisionRequest['decisions'][number];

/** The result of sending the decisions of one request. */
export interface SendResult {
  readonly done: number;
  readonly refused: readonly RequestError[];
  /** The number of decisions that the registry has not made yet. A request without an answer may still arrive. */
  readonly unsent: number;
  /** True if the answer was lost, and the versions were read again. */
  readonly wasLost: boolean;
}

const evidenceRefusals: readonly string[] = [
  'approval_blocked',
  'evidence_changed',
  'version_recalled',
];

/** Returns true if the registry refused an approval because of evidence that the reviewer has not seen. */
export const isEvidenceRefusal = (error: RequestError | undefined): boolean =>
  error !== undefined && evidenceRefusals.includes(error.code);

/** A refused decision, with the reason of the registry. */
interface RefusedDecision {
  readonly decision: Decision;
  readonly error: RequestError;
}

/** Stores refusals. New evidence is loaded at once, in lists and in the open version. */
const noteRefusals = (action: Action, refusals: readonly RefusedDecision[]): void => {
  const isNews = ({ error }: RefusedDecision): boolean => isEvidenceRefusal(error);
  updateOutcomes(
    refusals.map((refusal) => ({
      id: refusal.decision,
      refused: { action, error: refusal.error },
      doing: undefined,
      news: isNews(refusal) ? 1 : 0,
    })),
  );
  if (refusals.some(isNews)) refreshLists();
};

type Result = Awaited<ReturnType<RegistryClient['decidePackages']>>['results'][number];

const toError = (result: Result | undefined): RequestError | undefined => {
  if (!result)
    return new RequestError({
      code: 'unexpected_answer',
      detail: 'The registry gave no result for this version.',
    });
  return 'problem' in result
    ? new RequestError({ ...result.problem, problem: result.problem })
    : undefined;
};

/**
 * Sends a request, and stores the decisions that were made. Resolves to the error of each decision; undefined for a decision
 * that was made.
 * @throws {RequestError} if the request as a whole failed
 */
export const postDecisions = async (
  api: RegistryClient,
  { key, action, decisions }: DecisionRequest,
): Promise<(RequestError | undefined)[]> => {
  const { results } = await api.decidePackages({ body: { decisions } }, { idempotencyKey: key });
  const made = decisions.flatMap((id, at) => {
    const result = results[at];
    return result && 'package' in result ? [{ id, found: result.package }] : [];
  });
  recordDecisions(action, made);
  return decisions.map((_, at) => toError(results[at]));
};

/** Sends a request. Resolves to the error of each decision, also if the request as a whole failed. */
const sendOnce = async (
  api: RegistryClient,
  request: DecisionRequest,
): Promise<(RequestError | undefined)[]> => {
  try {
    return await postDecisions(api, request);
  } catch (error) {
    return request.decisions.map(() => toRequestError(error));
  }
};

/** Checks decisions without an answer. Keeps the request until all are made, and resolves to the number of the others. */
export const verifyRequest = async (
  api: RegistryClient,
  lost: UnconfirmedDecisions,
): Promise<number> => {
  const { request, decisions } = lost;
  setStage(request, 'checking', decisions);
  const open = await verifyDecisions(api, lost);
  if (open.length === 0) removeOpenRequest(request);
  else setStage(request, 'unsent', open);
  return open.length;
};

/** Returns true if the request has one version, whose status somebody else has changed. */
const isSuperseded = ({ decisions: [only, ...others] }: DecisionRequest): boolean => {
  const status = only && others.length === 0 ? findOutcome(only)?.status : undefined;
  return status !== undefined && status !== only?.expected_status;
};

/** Sends a request and waits until the result is known. With the same key, a repeated request is applied once. */
export const sendDecisionRequest = async (
  api: RegistryClient,
  request: DecisionRequest,
  isRepeated = false,
): Promise<SendResult> => {
  const { action, decisions } = request;
  setStage(request, 'sending');
  const errors = await sendOnce(api, request);
  const lost = decisions.filter((_, at) => {
    const error = errors[at];
    return error !== undefined && isUnconfirmed(error);
  });
  const refused = errors.flatMap((error, at) => {
    const decision = decisions[at];
    return !error || !decision || isUnconfirmed(error) ? [] : [{ decision, error }];
  });
  noteRefusals(action, refused);
  if (lost.length === 0) removeOpenRequest(request);
  const unsent =
    lost.length > 0 ? await verifyRequest(api, { request, decisions: lost, isRecent: true }) : 0;
  // Only a repetition with the same key shows whether this decision came first. It cannot reverse the other decision.
  if (unsent > 0 && !isRepeated && isSuperseded(request)) {
    return { ...(await sendDecisionRequest(api, request, true)), wasLost: true };
  }
  const done = decisions.length - refused.length - unsent;
  return { done, refused: refused.map(({ error }) => error), unsent, wasLost: lost.length > 0 };
};

/** Describes the result of one decision. */
const describeOne = (
  request: DecisionRequest,
  { refused, unsent, wasLost }: SendResult,
): string => {
  const { done } = actions[request.action];
  const what = describeRequest(request);
  if (refused.length > 0) return `${what} was not ${done}`;
  if (unsent > 0) return `${what} is not ${done} yet`;
  return wasLost ? `${what} ${done} by you` : `${what} ${done}`;
};

/** Describes the results of many decisions: `98 approved, 2 refused`. */
const describeMany = (action: Action, results: readonly SendResult[]): string => {
  const count = (measure: (result: SendResult) => number): number =>
    results.reduce((sum, result) => sum + measure(result), 0);
  const refused = count((result) => result.refused.length);
  const unsent = count((result) => result.unsent);
  return [
    `${count((result) => result.done)} ${actions[action].done}`,
    ...(refused > 0 ? [`${refused} refused`] : []),
    ...(unsent > 0 ? [`${unsent} not made yet`] : []),
  ].join(', ');
};

/** Announces the results of decisions in one line. */
export const announceResults = (
  requests: readonly DecisionRequest[],
  results: readonly SendResult[],
): void => {
  const [first, ...others] = requests;
  const [result] = results;
  if (!first || !result) return;
  const isOne = others.length === 0 && first.decisions.length === 1;
  announce(isOne ? describeOne(first, result) : describeMany(first.action, results));
};
