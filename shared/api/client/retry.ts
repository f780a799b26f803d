import { type FailedAttempt, longestPauseMs, retry } from '../../util/retry.ts';
import type { CallOptions, ClientOptions } from './options.ts';
import type { Outgoing } from './outgoing.ts';
import type { RequestError } from './request-error.ts';
import { attempt, type Fault } from './transport.ts';

type SendOptions = Required<Pick<ClientOptions, 'timeoutMs' | 'retries' | 'backoffMs'>> &
  Pick<ClientOptions, 'onWait' | 'onAttempt'> &
  Pick<CallOptions, 'signal'>;

/** The backoff grows no longer than this, and a registry that asks for more is not waited for. */
const longestWaitMs = 20_000;

/** A write is repeated only if it cannot have been applied, or if its key keeps it from being applied twice. */
const mayRepeat = ({ isQuestion, headers }: Outgoing, fault: Fault): boolean =>
  fault.passing &&
  fault.error.retryAfterMs <= longestWaitMs &&
  (isQuestion || 'Idempotency-Key' in headers || !fault.maybeApplied);

/** Anything up to the full wait, so that clients that failed together do not come back together. */
const chooseWaitMs = (
  earlier: number,
  { retryAfterMs }: RequestError,
  backoffMs: number,
): number => {
  const longest = longestPauseMs(earlier, { firstMs: backoffMs, longestMs: longestWaitMs });
  return Math.max(retryAfterMs, Math.random() * longest);
};

/** Carries a fault through the attempts. */
class FaultError extends Error {
  override readonly name = 'FaultError';
  readonly fault: Fault;

  constructor(fault: Fault) {
    super(fault.error.message);
    this.fault = fault;
  }
}

/**
 * Sends a request until it is answered for good. Resolves to the answer's JSON.
 * @throws {RequestError} once it is refused or repeated in vain
 */
export const sendPatiently = (request: Outgoing, options: SendOptions): Promise<unknown> => {
  const { timeoutMs, retries, backoffMs, onWait, onAttempt, signal } = options;
  const { url, isQuestion: _, ...init } = request;
  const sendOnce = async (): Promise<unknown> => {
    const timeout = AbortSignal.timeout(timeoutMs);
    const signals = signal ? AbortSignal.any([signal, timeout]) : timeout;
    const began = performance.now();
    const outcome = await attempt(url, { ...init, signal: signals });
    const { status, requestId } = outcome;
    const code = 'fault' in outcome ? outcome.fault.error.code : null;
    const ms = performance.now() - began;
    onAttempt?.({ method: request.method, url, ms, status, requestId, code });
    if ('result' in outcome) return outcome.result;
    throw new FaultError(outcome.fault);
  };
  const pauseAfter = ({ error, earlier }: FailedAttempt): number => {
    if (!(error instanceof FaultError)) throw error;
    const { fault } = error;
    if (earlier === retries || !mayRepeat(request, fault)) throw fault.error;
    const ms = chooseWaitMs(earlier, fault.error, backoffMs);
    onWait?.({ ms, after: fault.error });
    return ms;
  };
  return retry(sendOnce, pauseAfter, signal);
};
