import { invalid, type ProblemCode, RegistryError } from '../domain/errors.ts';
import { logEvent } from '../log.ts';
import { AnsweredBeforeError } from '../store/answered-before.ts';
import { versionUrl } from './gateway-request.ts';
import { type HttpAnswer, problemAnswer } from './problem.ts';
import type { EndpointMiddleware, EndpointRequest } from './state.ts';

/** The JSON parser refuses with an error that carries an HTTP status of its own; ours for all of them is 400. */
const asRegistryError = (error: unknown): unknown =>
  error instanceof Error && 'statusCode' in error && Number(error.statusCode) < 500
    ? invalid('body', 'must be JSON; check its syntax', 'malformed_body')
    : error;

/** The answer to a request that ended in an error: the first answer to the same request, or the problem explained. */
export const answerToError = ({ event, error }: EndpointRequest): HttpAnswer => {
  if (error instanceof AnsweredBeforeError) {
    const { answer } = error;
    return { ...answer, headers: { ...answer.headers, 'Idempotency-Replayed': 'true' } };
  }
  const known = asRegistryError(error);
  const answer = problemAnswer(known, event.requestContext.requestId);
  const location = known instanceof RegistryError ? known.parts.location : undefined;
  return location
    ? { ...answer, headers: { ...answer.headers, Location: versionUrl(event, location) } }
    : answer;
};

const isOurs = (error: unknown): boolean =>
  error instanceof AnsweredBeforeError || asRegistryError(error) instanceof RegistryError;

/** The code of the problem; a first answer that is given again tells none of its own. */
const codeOf = (error: unknown): ProblemCode | undefined => {
  if (error instanceof AnsweredBeforeError) return undefined;
  const known = asRegistryError(error);
  return known instanceof RegistryError ? known.code : 'internal_error';
};

/** Turns every error into its answer, and logs what the answer does not tell. */
export const errorAnswer = (): EndpointMiddleware => ({
  onError: (request) => {
    request.response = answerToError(request);
    const code = codeOf(request.error);
    if (code) request.internal.problemCode = code;
    if (!isOurs(request.error)) {
      const request_id = request.event.requestContext.requestId;
      logEvent('error', 'request_failed', { request_id, error: request.error });
    }
  },
});
