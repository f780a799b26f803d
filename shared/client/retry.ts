import { setTimeout as sleep } from 'node:timers/promises';
import type { Outgoing } from './outgoing.ts';
import type { RequestError } from './request-error.ts';
import { attempt, type Fault } from './transport.ts';

export interface SendOptions {
  readonly timeoutMs: number;
  readonly retries: number;
  readonly backoffMs: number;
  /** Told of every wait before a repetition. */
  readonly onWait?: ((wait: Wait) => void) | undefined;
  readonly signal?: AbortSignal;
}

/** A wait before a request is repeated, and for what. */
export interface Wait {
  readonly ms: number;
  readonly after: RequestError;
}

/** The backoff grows no longer than this, and a registry that asks for more is not waited for. */
const longestWaitMs = 20_000;

/** A write is repeated only if it cannot have been applied, or if its key keeps it from being applied twice. */
const mayRepeat = ({ method, headers }: Outgoing, fault: Fault): boolean =>
  fault.passing &&
  fault.error.retryAfterMs <= longestWaitMs &&
  (method === 'GET' || 'Idempotency-Key' in headers || !fault.maybeApplied);

/** Anything up to the full wait, so that clients that failed together do not come back together. */
const waitMs = (repetition: number, { retryAfterMs }: RequestError, backoffMs: number): number => {
  const jittered = Math.random() * backoffMs * 2 ** repetition;
  return Math.max(retryAfterMs, Math.min(longestWaitMs, jittered));
};

/**
 * Sends a request until it is answered for good. Resolves to the answer's JSON.
 * @throws {RequestError} once it is refused or repeated in vain
 */
export const sendPatiently = async (request: Outgoing, options: SendOptions): Promise<unknown> => {
  const { timeoutMs, retries, backoffMs, onWait, signal } = options;
  const { url, ...init } = request;
  for (let repetition = 0; ; repetition += 1) {
    const timeout = AbortSignal.timeout(timeoutMs);
    const signals = signal ? AbortSignal.any([signal, timeout]) : timeout;
    const outcome = await attempt(url, { ...init, signal: signals });
    if ('result' in outcome) return outcome.result;
    const { error } = outcome.fault;
    if (repetition === retries || !mayRepeat(request, outcome.fault)) throw error;
    const ms = waitMs(repetition, error, backoffMs);
    onWait?.({ ms, after: error });
    await sleep(ms, undefined, { signal });
  }
};
