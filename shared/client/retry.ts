import { setTimeout as sleep } from 'node:timers/promises';
import type { Outgoing } from './outgoing.ts';
import { attempt, type Fault } from './transport.ts';

export interface SendOptions {
  readonly timeoutMs: number;
  readonly retries: number;
  readonly backoffMs: number;
  readonly signal?: AbortSignal;
}

/** However long the registry asks to wait or the backoff has grown. */
const longestWaitMs = 20_000;

/** A write is repeated only if it cannot have been applied, or if its key keeps it from being applied twice. */
const mayRepeat = ({ method, headers }: Outgoing, fault: Fault): boolean =>
  fault.passing && (method === 'GET' || 'Idempotency-Key' in headers || !fault.maybeApplied);

/** Anything up to the full wait, so that clients that failed together do not come back together. */
const waitMs = (repetition: number, { retryAfterMs }: Fault, backoffMs: number): number => {
  const jittered = Math.random() * backoffMs * 2 ** repetition;
  return Math.min(longestWaitMs, Math.max(retryAfterMs, jittered));
};

/**
 * Sends a request until it is answered for good. Resolves to the answer's JSON.
 * @throws {RequestError} once it is refused or repeated in vain
 */
export const sendPatiently = async (request: Outgoing, options: SendOptions): Promise<unknown> => {
  const { timeoutMs, retries, backoffMs, signal } = options;
  const { url, ...init } = request;
  for (let repetition = 0; ; repetition += 1) {
    const timeout = AbortSignal.timeout(timeoutMs);
    const signals = signal ? AbortSignal.any([signal, timeout]) : timeout;
    const outcome = await attempt(url, { ...init, signal: signals });
    if ('result' in outcome) return outcome.result;
    if (repetition === retries || !mayRepeat(request, outcome.fault)) throw outcome.fault.error;
    await sleep(waitMs(repetition, outcome.fault, backoffMs), undefined, { signal });
  }
};
