import { parseRetryAfter } from '../retry.ts';
import { type Patience, withRetries } from './retry-options.ts';
import { AskError, OutOfTimeError, PassingFaultError } from './upstream-error.ts';

/** Whom to ask, as reasons call them, and how long one request may take. */
export interface Asked {
  readonly who: string;
  readonly timeoutMs: number;
}

const formatSeconds = (ms: number): string => `${Math.round(ms / 100) / 10} s`;

const isTimeout = (error: unknown): boolean =>
  error instanceof DOMException && error.name === 'TimeoutError';

const describeConnectionFault = (who: string, error: unknown): PassingFaultError => {
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  const told = typeof code === 'string' ? ` (${code})` : '';
  return new PassingFaultError(`The connection to ${who} failed${told}`);
};

/** Whether the same request may succeed later; 501 says that it never will. */
const isPassing = (status: number): boolean =>
  status === 408 || status === 429 || (status >= 500 && status !== 501);

/** The fault that an answer is which is no success. */
export const describeStatus = (who: string, { status, headers }: Response): AskError =>
  isPassing(status)
    ? new PassingFaultError(
        `${who} answered with status ${status}`,
        parseRetryAfter(headers.get('Retry-After')),
      )
    : new AskError(`${who} refused the request with status ${status}`);

/**
 * Exchanges a request for what is read of its answer, which ends when its signal does. Faults that may pass are tried
 * again, as long as time allows.
 * @throws {AskError}
 */
export const askWithin = <T>(
  { who, timeoutMs }: Asked,
  patience: Patience,
  exchange: (signal: AbortSignal) => Promise<T>,
): Promise<T> => {
  /** Where nothing came back within `ms`: less than a request may take is what was left of the whole. */
  const describeSilence = (ms: number): PassingFaultError =>
    ms < timeoutMs
      ? new OutOfTimeError(who)
      : new PassingFaultError(`${who} did not answer within ${formatSeconds(timeoutMs)}`);

  return withRetries(async () => {
    const remainingMs = Math.ceil(patience.until - performance.now());
    if (remainingMs <= 0) throw new OutOfTimeError(who);
    const ms = Math.min(timeoutMs, remainingMs);
    const signal = AbortSignal.timeout(ms);
    try {
      return await exchange(signal);
    } catch (error) {
      if (error instanceof AskError) throw error;
      throw signal.aborted || isTimeout(error)
        ? describeSilence(ms)
        : describeConnectionFault(who, error);
    }
  }, patience);
};
