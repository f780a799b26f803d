import type { RequestError } from './request-error.ts';

/** A wait before a request is repeated, in milliseconds, and the error that it follows. */
export interface Wait {
  readonly ms: number;
  readonly after: RequestError;
}

/** One request that was sent, and what came of it. The token is no part of it. */
export interface Attempt {
  readonly method: string;
  readonly url: string;
  readonly ms: number;
  /** Null if no answer came. */
  readonly status: number | null;
  /** Finds the request in the registry's log; null if the answer does not say. */
  readonly requestId: string | null;
  /** Why it failed; null if it did not. */
  readonly code: string | null;
}

/** Which registry a client asks, and how patiently. */
export interface ClientOptions {
  /** The registry's base URL, such as `https://registry.example.com`. */
  readonly url: string;
  /** Sent with the operations that need one, and with no other. */
  readonly token?: string | undefined;
  /** For how long one attempt may last, 30 seconds unless given. */
  readonly timeoutMs?: number;
  /** How often a request is repeated after a passing fault, 3 times unless given. */
  readonly retries?: number;
  /** The longest wait before the first repetition, 250 unless given; it doubles each time. */
  readonly backoffMs?: number;
  /** Told of every wait before a repetition. */
  readonly onWait?: ((wait: Wait) => void) | undefined;
  /** Told of every request, once it was answered or given up. */
  readonly onAttempt?: ((attempt: Attempt) => void) | undefined;
  /** Told of every call as it begins, all its repetitions included; settles with it. */
  readonly onCall?: ((call: Promise<unknown>) => void) | undefined;
}

/** What a single call may be given besides its input. */
export interface CallOptions {
  /** Makes it safe to repeat a write: without one, a write that may have been applied is not repeated. */
  readonly idempotencyKey?: string;
  /** Ends the call, which then rejects. */
  readonly signal?: AbortSignal;
}
