import { isObject } from '../../util/json.ts';
import type { Problem } from '../schemas/problem.ts';
import type { Outgoing } from './outgoing.ts';
import { RequestError } from './request-error.ts';

/** A failed attempt at a request. */
export interface Fault {
  readonly error: RequestError;
  /** True if the same request may succeed later. */
  readonly passing: boolean;
  /** True if the registry may have carried out the request. */
  readonly maybeApplied: boolean;
}

/** Status and request ID of a response. The status is null without a response, the ID if it is unknown. */
interface AnswerHead {
  readonly status: number | null;
  readonly requestId: string | null;
}

export type Outcome = AnswerHead & ({ readonly result: unknown } | { readonly fault: Fault });

/** Sends a request once. `attempt` counts from 1. Rejects if the caller aborts, or if a proxy's URL is invalid. */
export type Transport = (
  request: Outgoing,
  options: { readonly attempt: number; readonly signal: AbortSignal },
) => Promise<Outcome>;

/** Error status, and the delay in milliseconds that the registry asks for before the next attempt. */
export interface ErrorAnswer {
  readonly status: number;
  readonly retryAfterMs?: number;
}

const isProblem = (body: unknown): body is Problem =>
  isObject(body) && typeof body['code'] === 'string' && typeof body['detail'] === 'string';

/** Returns the error of a problem document; undefined if the body is not a problem document. */
const toProblemError = (answer: ErrorAnswer, body: unknown): RequestError | undefined =>
  isProblem(body)
    ? new RequestError({ ...answer, code: body.code, detail: body.detail, problem: body })
    : undefined;

/**
 * Returns the fault of a response without a result. `unexpected` is the message if the body is not a problem document.
 */
export const toAnswerFault = (answer: ErrorAnswer, body: unknown, unexpected: string): Fault => {
  const { status } = answer;
  return {
    error:
      toProblemError(answer, body) ??
      new RequestError({ ...answer, code: 'unexpected_answer', detail: unexpected }),
    passing: status === 429 || status >= 500,
    maybeApplied: status !== 429,
  };
};
