import type { HttpAnswer } from '../../api/http-answer.ts';
import { type ProblemCode, RegistryError } from '../../domain/errors.ts';
import { ReplayedResponse } from '../../storage/idempotency/replayed-response.ts';
import { logEvent } from '../../util/log.ts';
import { makeVersionUrl } from './gateway-request.ts';
import { makeProblemAnswer } from './problem.ts';
import type { EndpointMiddleware, EndpointRequest } from './state.ts';

const replayedHeader = 'Idempotency-Replayed';

/** True if an answer is the replay of an earlier one. */
export const isReplayed = ({ headers }: HttpAnswer): boolean => replayedHeader in headers;

/** A failed request and its error. */
type FailedRequest = Pick<EndpointRequest, 'event'> & { readonly error: unknown };

/** Returns the answer to a failed request: the replayed answer of the first request, or a problem. */
export const makeErrorAnswer = ({ event, error }: FailedRequest): HttpAnswer => {
  if (error instanceof ReplayedResponse) {
    const { answer } = error;
    return { ...answer, headers: { ...answer.headers, [replayedHeader]: 'true' } };
  }
  const answer = makeProblemAnswer(error, event.requestContext.requestId);
  const location = error instanceof RegistryError ? error.parts.location : undefined;
  return location
    ? { ...answer, headers: { ...answer.headers, Location: makeVersionUrl(event, location) } }
    : answer;
};

const isOurs = (error: unknown): boolean =>
  error instanceof ReplayedResponse || error instanceof RegistryError;

/** Returns the problem code of an error; undefined for a replay. Unexpected errors have `internal_error`. */
export const findCode = (error: unknown): ProblemCode | undefined => {
  if (error instanceof ReplayedResponse) return undefined;
  return error instanceof RegistryError ? error.code : 'internal_error';
};

/** Logs errors that the answer does not explain, and timeouts, which are server faults too. */
export const logNotIndexed = ({ event, error }: FailedRequest, about: object = {}): void => {
  const { requestId: request_id } = event.requestContext;
  if (findCode(error) === 'timeout') {
    logEvent('error', 'request_timed_out', { request_id, path: event.path, ...about });
  }
  if (isOurs(error)) return;
  logEvent('error', 'request_failed', { request_id, ...about, error });
};

/** Returns the middleware that turns each error into its answer, and logs details that the answer omits. */
export const errorAnswer = (): EndpointMiddleware => ({
  onError: (request) => {
    request.response = makeErrorAnswer(request);
    const code = findCode(request.error);
    if (code) request.internal.problemCode = code;
    logNotIndexed(request);
  },
});
