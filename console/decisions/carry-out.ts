import type { RegistryClient } from '../../shared/api/client/operations.ts';
import { RequestError } from '../../shared/api/client/request-error.ts';
import { toRequestError } from '../api/use-answer.ts';
import { announce } from '../frame/announcements.ts';
import { readListsAgain } from '../frame/happenings.ts';
import { type Action, actions } from './actions.ts';
import { checkLost, isLost, type Lost } from './check-lost.ts';
import { forgetMatter, noteStage } from './matters.ts';
import { noteDone } from './note-done.ts';
import { findOutcome, noteOutcome } from './outcomes.ts';
import { type DecisionRequest, describeRequest } from './requests.ts';

type Decision = DecisionRequest['decisions'][number];

/** What became of the decisions of a request. */
export interface Tally {
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
  noteOutcome(decision, { refused, doing: undefined, news: isNews ? 1 : 0 });
  if (isNews) readListsAgain();
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
      if (result && 'package' in result) noteDone(decision, action, result.package);
    }
    return decisions.map((_, at) => toError(results[at]));
  } catch (error) {
    return decisions.map(() => toRequestError(error));
  }
};

/** Looks up decisions that may have been made, keeps their request while one of them is not, and returns how many are not. */
export const settleLost = async (api: RegistryClient, lost: Lost): Promise<number> => {
  const { request, decisions } = lost;
  noteStage(request, 'checking', decisions);
  const open = await checkLost(api, lost);
  if (open.length === 0) forgetMatter(request);
  else noteStage(request, 'unsent', open);
  return open.length;
};

/** Whether somebody else moved the only version of a request since it was seen. */
const isOvertaken = ({ decisions: [only, ...others] }: DecisionRequest): boolean => {
  const status = only && others.length === 0 ? findOutcome(only)?.status : undefined;
  return status !== undefined && status !== only?.expected_status;
};

/** Sends a request, again with the same key if it was sent before, and follows it until its outcome is known. */
export const carryOut = async (
  api: RegistryClient,
  request: DecisionRequest,
  isRepeated = false,
): Promise<Tally> => {
  const { action, decisions } = request;
  noteStage(request, 'sending');
  const errors = await sendAll(api, request);
  const lost = decisions.filter((_, at) => {
    const error = errors[at];
    return error !== undefined && isLost(error);
  });
  const refused = errors.flatMap((error, at) => {
    const decision = decisions[at];
    if (!error || !decision || isLost(error)) return [];
    noteRefusal(decision, action, error);
    return [error];
  });
  if (lost.length === 0) forgetMatter(request);
  const unsent =
    lost.length > 0 ? await settleLost(api, { request, decisions: lost, isRecent: true }) : 0;
  // Only the key says whether it was made before the other decision, which it cannot reverse: its version has moved.
  if (unsent > 0 && !isRepeated && isOvertaken(request)) {
    return { ...(await carryOut(api, request, true)), wasLost: true };
  }
  const done = decisions.length - refused.length - unsent;
  return { done, refused, unsent, wasLost: lost.length > 0 };
};

/** Says what became of one decision. */
const describeOne = (request: DecisionRequest, { refused, unsent, wasLost }: Tally): string => {
  const { done } = actions[request.action];
  const what = describeRequest(request);
  if (refused.length > 0) return `${what} was not ${done}`;
  if (unsent > 0) return `${what} is not ${done} yet`;
  return wasLost ? `${what} ${done} by you` : `${what} ${done}`;
};

/** Says what became of many: `98 approved, 2 refused`. */
const describeMany = (action: Action, tallies: readonly Tally[]): string => {
  const count = (measure: (tally: Tally) => number): number =>
    tallies.reduce((sum, tally) => sum + measure(tally), 0);
  const refused = count((tally) => tally.refused.length);
  const unsent = count((tally) => tally.unsent);
  return [
    `${count((tally) => tally.done)} ${actions[action].done}`,
    ...(refused > 0 ? [`${refused} refused`] : []),
    ...(unsent > 0 ? [`${unsent} not made yet`] : []),
  ].join(', ');
};

/** Says in one line what became of decisions. */
export const announceTallies = (
  requests: readonly DecisionRequest[],
  tallies: readonly Tally[],
): void => {
  const [first, ...others] = requests;
  const [tally] = tallies;
  if (!first || !tally) return;
  const isOne = others.length === 0 && first.decisions.length === 1;
  announce(isOne ? describeOne(first, tally) : describeMany(first.action, tallies));
};
