import { parseRetryAfter, type RetryOptions, retry } from '../retry.ts';
import {
  OutOfTimeError,
  RefusedRequestError,
  TransientError,
  UpstreamError,
} from './upstream-error.ts';

const defaultAttempts = 5;

/** Service of a request, as error messages name it, and the timeout of one attempt. */
export interface RequestTarget {
  readonly who: string;
  readonly timeoutMs: number;
}

const formatSeconds = (ms: number): string => `${Math.round(ms / 100) / 10} s`;

const isTimeout = (error: unknown): boolean =>
  error instanceof DOMException && error.name === 'TimeoutError';

const describeConnectionFault = (who: string, error: unknown): TransientError => {
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  const suffix = typeof code === 'string' ? ` (${code})` : '';
  return new TransientError(`The connection to ${who} failed${suffix}`);
};

/** True if the same request may succeed later. Status 501 is permanent. */
const isPassing = (status: number): boolean =>
  status === 408 || status === 429 || (status >= 500 && status !== 501);

/** Returns the error for a response without success. */
export const describeStatus = (who: string, { status, headers }: Response): UpstreamError =>
  isPassing(status)
    ? new TransientError(
        `${who} responded with status ${status}`,
        parseRetryAfter(headers.get('Retry-After')),
      )
    : new RefusedRequestError(`${who} refused the request with status ${status}`, status);

/** Retry options for requests to another service, with a deadline. */
export type OutboundRetryOptions = Pick<RetryOptions, 'attempts'> &
  Required<Pick<RetryOptions, 'delayMs' | 'deadline'>>;

const findRetryAfterMs = (error: unknown): number | undefined =>
  error instanceof TransientError ? error.retryAfterMs : undefined;

const explainWait = (fault: TransientError): TransientError => {
  if (fault.retryAfterMs === undefined) return fault;
  const reason = `requested a delay of ${Math.ceil(fault.retryAfterMs / 1000)} s, longer than the remaining time`;
  return new TransientError(`${fault.message} and ${reason}`, fault.retryAfterMs);
};

/**
 * Returns the error of a request that was given up. An exceeded deadline is less informative than the failure before
 * it.
 */
const toLastError = (errors: readonly unknown[], isOverdue: boolean): unknown => {
  const last = errors.at(-1);
  if (last instanceof OutOfTimeError) return errors.at(-2) ?? last;
  return isOverdue && last instanceof TransientError ? explainWait(last) : last;
};

/**
 * Sends a request with `exchange` and returns its result. `exchange` must finish reading the response before its signal
 * aborts. Retryable failures are retried, with half of each delay random.
 * @throws {UpstreamError} if all attempts fail
 */
export const requestWithin = <T>(
  { who, timeoutMs }: RequestTarget,
  { delayMs, deadline, ...limits }: OutboundRetryOptions,
  exchange: (signal: AbortSignal) => Promise<T>,
): Promise<T> => {
  /** Returns the error for no response within `ms`. A time below the timeout means that the deadline was exceeded. */
  const describeSilence = (ms: number): TransientError =>
    ms < timeoutMs
      ? new OutOfTimeError(who)
      : new TransientError(`${who} did not respond within ${formatSeconds(timeoutMs)}`);

  const exchangeOnce = async (): Promise<T> => {
    const remainingMs = Math.ceil(deadline.remainingMs());
    if (remainingMs <= 0) throw new OutOfTimeError(who);
    const ms = Math.min(timeoutMs, remainingMs);
    const signal = AbortSignal.timeout(ms);
    try {
      return await exchange(signal);
    } catch (error) {
      if (error instanceof UpstreamError) throw error;
      throw signal.aborted || isTimeout(error)
        ? describeSilence(ms)
        : describeConnectionFault(who, error);
    }
  };
  return retry(exchangeOnce, {
    ...{ attempts: defaultAttempts, ...limits, deadline, jitter: 0.5 },
    // A delay that the service requests takes precedence.
    delayMs: (retries, error) =>
      findRetryAfterMs(error) === undefined ? delayMs(retries, error) : 0,
    minDelayMs: findRetryAfterMs,
    isRetryable: (error) => error instanceof TransientError && !(error instanceof OutOfTimeError),
    toError: toLastError,
  });
};
