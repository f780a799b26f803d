import type { Problem } from '../schemas/problem.ts';

/** Why a request failed without an answer of the registry. */
export type TransportCode = 'unreachable' | 'timeout' | 'unexpected_answer';

interface Failure {
  readonly code: string;
  readonly detail: string;
  readonly status?: number;
  readonly problem?: Problem;
  readonly retryAfterMs?: number;
  readonly cause?: unknown;
}

/** A request that failed: refused by the registry, or never answered by it. */
export class RequestError extends Error {
  override readonly name = 'RequestError';
  /** The HTTP status; null if no answer came. */
  readonly status: number | null;
  /** The registry's stable code, or a {@link TransportCode}. */
  readonly code: string;
  /** What is wrong and what to do, for people. */
  readonly detail: string;
  /** Finds the request in the registry's log; null if the registry did not answer. */
  readonly requestId: string | null;
  /** The problem document with all its members; null if the registry did not answer. */
  readonly problem: Problem | null;
  /** How long the registry asks to wait before the next attempt, in milliseconds; 0 if it does not. */
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
