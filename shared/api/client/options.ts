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
  /** HTTP status; null without a response. */
  readonly status: number | null;
  /** ID of the request in the registry's log; null if the response has none. */
  readonly requestId: string | null;
  /** Error code; null after success. */
  readonly code: string | null;
}

/** Options of a client: the registry, the token, and the retries. */
export interface ClientOptions {
  /** Base URL of the registry, such as `https://registry.example.com`. */
  readonly url: string;
  /** API token. The client sends it only with operations that need one. */
  readonly token?: string | undefined;
  /**
   * Returns the ID token of a person or of a CI job, in place of `token`; undefined to send `token`. Called for each operation
   * that needs one.
   */
  readonly idToken?: (() => Promise<string | undefined>) | undefined;
  /** Maximum time for one attempt, in milliseconds; 30,000 by default. */
  readonly timeoutMs?: number;
  /** Maximum number of retries after temporary faults; 3 by default. */
  readonly retries?: number;
  /** Maximum delay before the first retry, in milliseconds; 250 by default. It doubles with each retry. */
  readonly backoffMs?: number;
  /** Called before each delay. */
  readonly onWait?: ((wait: Wait) => void) | undefined;
  /** Called after each attempt, with or without an answer. */
  readonly onAttempt?: ((attempt: Attempt) => void) | undefined;
  /** Called with the promise of each operation, which settles after the last retry. */
  readonly onCall?: ((call: Promise<unknown>) => void) | undefined;
}

/** Options of one call. */
export interface CallOptions {
  /** Makes a write safe to retry. Without a key, a write that may have been applied is not retried. */
  readonly idempotencyKey?: string;
  /** Aborts the call, which then rejects. */
  readonly signal?: AbortSignal;
}
