import { setTimeout as delay } from 'node:timers/promises';
import type { Deadline } from './deadline.ts';

/** Returns the longest delay before a retry, in milliseconds. `retries` counts the retries before this one. */
export type RetryDelay = (retries: number, error: unknown) => number;

/** A failure that `retry` repeats after a delay. */
export interface Retry {
  readonly error: unknown;
  readonly delayMs: number;
  /** The number of retries before this one. */
  readonly retries: number;
}

/** Which failures of an action are retried, how often, and after which delay. */
export interface RetryOptions {
  /** Returns true if the action may succeed at another attempt. */
  readonly isRetryable: (error: unknown) => boolean;
  /** The most attempts, with the first one. Unlimited by default. */
  readonly attempts?: number;
  /** No delay by default. */
  readonly delayMs?: RetryDelay;
  /**
   * The random share of each delay, from 0 (the default) to 1 (full jitter). It keeps clients apart that failed at the same
   * time.
   */
  readonly jitter?: number;
  /** Returns the shortest delay that the failure allows, in milliseconds, as a `Retry-After` header states it. */
  readonly minDelayMs?: (error: unknown) => number | undefined;
  /** No retry begins unless its longest delay ends before the deadline. */
  readonly deadline?: Deadline;
  /** The attempts, as long as the last one, that must also fit before the deadline. 0 by default. */
  readonly reservedAttempts?: number;
  /** Called before each delay. */
  readonly onRetry?: (retry: Retry) => void;
  /**
   * Returns the error that `retry` throws, the last one by default. `errors` holds the errors of all attempts, the first one
   * first. `isOverdue` is true if only the deadline prevents a retry.
   */
  readonly toError?: (errors: readonly unknown[], isOverdue: boolean) => unknown;
  /** Ends the delay, and with it the retries. */
  readonly signal?: AbortSignal;
}

/** Runs an action, and runs it again after a retryable failure. Resolves to the result of the first attempt that succeeds. */
export const retry = async <T>(action: () => Promise<T>, options: RetryOptions): Promise<T> => {
  const {
    isRetryable,
    attempts,
    delayMs,
    jitter = 0,
    minDelayMs,
    deadline,
    onRetry,
    signal,
  } = options;
  const { reservedAttempts = 0, toError = (errors) => errors.at(-1) } = options;
  const errors: unknown[] = [];
  for (let retries = 0; ; retries += 1) {
    const startedAt = performance.now();
    try {
      return await action();
    } catch (error) {
      errors.push(error);
      if (!isRetryable(error) || errors.length === attempts) throw toError(errors, false);
      const longestMs = delayMs?.(retries, error) ?? 0;
      const minMs = minDelayMs?.(error) ?? 0;
      const reservedMs = reservedAttempts * (performance.now() - startedAt);
      if (deadline && deadline.remainingMs() < Math.max(minMs, longestMs) + reservedMs)
        throw toError(errors, true);
      const waitMs = Math.max(minMs, longestMs * (1 - jitter * Math.random()));
      onRetry?.({ error, delayMs: waitMs, retries });
      await delay(waitMs, undefined, { signal });
    }
  }
};

/** Returns a delay that doubles with each retry, from `firstMs` up to `longestMs`. */
export const exponentialDelay =
  ({ firstMs, longestMs }: { readonly firstMs: number; readonly longestMs: number }) =>
  (retries: number): number =>
    Math.min(longestMs, firstMs * 2 ** retries);

/** Returns the delay that a `Retry-After` header states in seconds or as a date (RFC 9110), in milliseconds. Undefined without one. */
export const parseRetryAfter = (header: string | null): number | undefined => {
  if (header === null || header.trim() === '') return undefined;
  const seconds = Number(header);
  const ms = Number.isNaN(seconds) ? Date.parse(header) - Date.now() : seconds * 1000;
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
};
