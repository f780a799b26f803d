import type { Problem } from '../schemas/problem.ts';

/** Codes of failures without a valid response of the registry. */
export type TransportCode = 'unreachable' | 'timeout' | 'unexpected_answer';

interface Failure {
  readonly code: Problem['code'] | TransportCode;
  readonly detail: string;
  readonly status?: number;
  readonly problem?: Problem;
  readonly retryAfterMs?: number;
  readonly cause?: unknown;
}

/** Error of a failed request: the registry refused it, or no valid response arrived. */
export class RequestError extends Error {
  override readonly name = 'RequestError';
  /** HTTP status; null without a response. */
  readonly status: number | null;
  /** Stable error code of the registry, or a {@link TransportCode}. */
  readonly code: Problem['code'] | TransportCode;
  /** Explanation for people: the problem, and the next step. */
  readonly detail: string;
  /** ID of the request in the registry's log; null without a problem document. */
  readonly requestId: string | null;
  /** Problem document with all its members; null without one. */
  readonly problem: Problem | null;
  /** Delay that the registry asks for before the next attempt, in milliseconds; 0 without one. */
  readonly retryAfterMs: number;

  constructor({ code, detail, status, problem, retryAfterMs, cause }: Failure) {
    super(detail, { cause });
    this.code = code;
    this.detail = detail;
    this.status = status ?? null;
    this.problem = problem ?? null;
    this.requestId = problem?.request_id ?? null;
    this.retryAfterMs = retryAfterMs ?? 0;
  }
}
