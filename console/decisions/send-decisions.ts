import type { RegistryClient } from '../../shared/api/client/operations.ts';
import { RequestError } from '../../shared/api/client/request-error.ts';
import { toRequestError } from '../api/to-request-error.ts';
import { announce } from '../state/announcements.ts';
import { refreshLists } from '../state/list-refresh.ts';
import { type Action, actions } from './actions.ts';
import { type DecisionRequest, describeRequest } from './decision-requests.ts';
import { removeOpenRequest, setStage } from './open-requests.ts';
import { findOutcome, updateOutcome } from './outcomes.ts';
import { recordDecision } from './record-decision.ts';
import { isUnconfirmed, type UnconfirmedDecisions, verifyDecisions } from './verify-decisions.ts';

type Decision = DecisionRequest['decisions'][number];

/** What became of the decisions of a request. */
export interface SendResult {
  readonly done: number;
  readonly refused: readonly RequestError[];
  /** How many the registry has not made yet: a request without an answer may still be under way. */
  readonly unsent: number;
  /** Whether an answer was lost, and looked up. */
  readonly wasLost: boolean;
}

const evidenceRefusals: readonly string[] = ['approval_blocked', 'evidence_changed'];

/** Whether the registry refused an approval because more is known than the reviewer saw. */
export const isEvidenceRefusal = (error: RequestError | undefined): boolean =>
  error !== undefined && evidenceRefusals.includes(error.code);

/** Notes a refusal. What more became known is read at once, in lists and where it is open. */
const noteRefusal = (decision: Decision, action: Action, error: RequestError): void => {
  const isNews = isEvidenceRefusal(error);
  const refused = { action, error };
  updateOutcome(decision, { refused, doing: undefined, news: isNews ? 1 : 0 });
  if (isNews) refreshLists();
};

type Result = Awaited<ReturnType<RegistryClient['decidePackages']>>['results'][number];

const toError = (result: Result | undefined): RequestError | undefined => {
  if (!result)
    return new RequestError({ code: 'unexpected_answer', detail: 'Nothing was said of it.' });
  return 'problem' in result
    ? new RequestError({ ...result.problem, problem: result.problem })
    : undefined;
};

/** Returns what the registry said of each decision: an error, or nothing where it was made. */
const sendAll = async (
  api: RegistryClient,
  { key, action, decisions }: DecisionRequest,
): Promise<(RequestError | undefined)[]> => {
  try {
    const { results } = await api.decidePackages({ body: { decisions } }, { idempotencyKey: key });
    for (const [at, decision] of decisions.entries()) {
      const result = results[at];
      if (result && 'package' in result) recordDecision(decision, action, result.package);
    }
    return decisions.map((_, at) => toError(results[at]));
  } catch (error) {
    return decisions.map(() => toRequestError(error));
  }
};

/** Looks up decisions that may have been made, keeps their request while one of them is not, and returns how many are not. */
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

/** Whether somebody else moved the only version of a request since it was seen. */
const isOvertaken = ({ decisions: [only, ...others] }: DecisionRequest): boolean => {
  const status = only && others.length === 0 ? findOutcome(only)?.status : undefined;
  return status !== undefined && status !== only?.expected_status;
};

/** Sends a request, again with the same key if it was sent before, and follows it until its outcome is known. */
export const sendDecisionRequest = async (
  api: RegistryClient,
  request: DecisionRequest,
  isRepeated = false,
): Promise<SendResult> => {
  const { action, decisions } = request;
  setStage(request, 'sending');
  const errors = await sendAll(api, request);
  const lost = decisions.filter((_, at) => {
    const error = errors[at];
    return error !== undefined && isUnconfirmed(error);
  });
  const refused = errors.flatMap((error, at) => {
    const decision = decisions[at];
    if (!error || !decision || isUnconfirmed(error)) return [];
    noteRefusal(decision, action, error);
    return [error];
  });
  if (lost.length === 0) removeOpenRequest(request);
  const unsent =
    lost.length > 0 ? await verifyRequest(api, { request, decisions: lost, isRecent: true }) : 0;
  // Only the key says whether it was made before the other decision, which it cannot reverse: its version has moved.
  if (unsent > 0 && !isRepeated && isOvertaken(request)) {
    return { ...(await sendDecisionRequest(api, request, true)), wasLost: true };
  }
  const done = decisions.length - refused.length - unsent;
  return { done, refused, unsent, wasLost: lost.length > 0 };
};

/** Says what became of one decision. */
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

/** Says what became of many: `98 approved, 2 refused`. */
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

/** Says in one line what became of decisions. */
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
