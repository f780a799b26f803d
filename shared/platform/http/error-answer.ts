import type { HttpAnswer } from '../../api/http-answer.ts';
import { type ProblemCode, RegistryError } from '../../domain/errors.ts';
import { ReplayedResponse } from '../../storage/idempotency/replayed-response.ts';
import { logEvent } from '../../util/log.ts';
import { makeVersionUrl } from './gateway-request.ts';
import { makeProblemAnswer } from './problem.ts';
import type { EndpointMiddleware, EndpointRequest } from './state.ts';

const replayedHeader = 'Idempotency-Replayed';

/** Whether an answer is the first one to the same request. */
export const isReplayed = ({ headers }: HttpAnswer): boolean => replayedHeader in headers;

/** An error, and the request that it befell. */
type FailedRequest = Pick<EndpointRequest, 'event'> & { readonly error: unknown };

/** The answer to a request that ended in an error: the first answer to the same request, or the problem explained. */
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

/** The code of the problem that an error is answered with; undefined for what is none of ours. */
export const findCode = (error: unknown): ProblemCode | undefined => {
  if (error instanceof ReplayedResponse) return undefined;
  return error instanceof RegistryError ? error.code : 'internal_error';
};

/** Logs what the answer to an error does not tell. A request that took too long is a fault, too, though its answer explains it. */
export const logNotIndexed = ({ event, error }: FailedRequest, about: object = {}): void => {
  const { requestId: request_id } = event.requestContext;
  if (findCode(error) === 'timeout') {
    logEvent('error', 'request_timed_out', { request_id, path: event.path, ...about });
  }
  if (isOurs(error)) return;
  logEvent('error', 'request_failed', { request_id, ...about, error });
};

/** Turns every error into its answer, and logs what the answer does not tell. */
export const errorAnswer = (): EndpointMiddleware => ({
  onError: (request) => {
    request.response = makeErrorAnswer(request);
    const code = findCode(request.error);
    if (code) request.internal.problemCode = code;
    logNotIndexed(request);
  },
});
