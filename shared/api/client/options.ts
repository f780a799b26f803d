import type { RequestError } from './request-error.ts';

/** A delay before a retry, in milliseconds, and the error of the failed attempt. */
export interface Wait {
  readonly ms: number;
  readonly after: RequestError;
}

/** One attempt at a request, and its result. It does not contain the token. */
export interface Attempt {
  readonly method: string;
  readonly url: string;
  readonly ms: number;
  /** Null without an answer. */
  readonly status: number | null;
  /** Finds the request in the registry's log; null if the answer does not say. */
  readonly requestId: string | null;
  /** The error code; null after success. */
  readonly code: string | null;
}

/** The registry of a client, its token, and how requests are retried. */
export interface ClientOptions {
  /** The registry's base URL, such as `https://registry.example.com`. */
  readonly url: string;
  /** Sent with the operations that need one, and with no other. */
  readonly token?: string | undefined;
  /** The most time for one attempt, 30 seconds by default. */
  readonly timeoutMs?: number;
  /** The most retries after faults that may pass, 3 by default. */
  readonly retries?: number;
  /** The longest delay before the first retry, 250 by default. It doubles with each retry. */
  readonly backoffMs?: number;
  /** Called before each delay. */
  readonly onWait?: ((wait: Wait) => void) | undefined;
  /** Called after each attempt, with or without an answer. */
  readonly onAttempt?: ((attempt: Attempt) => void) | undefined;
  /** Called with the promise of each call, which settles after the last retry. */
  readonly onCall?: ((call: Promise<unknown>) => void) | undefined;
}

/** The options of one call. */
export interface CallOptions {
  /** Makes a write safe to retry. Without a key, a write that may have been applied is not retried. */
  readonly idempotencyKey?: string;
  /** Aborts the call, which then rejects. */
  readonly signal?: AbortSignal;
}
