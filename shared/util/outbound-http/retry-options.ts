import { longestPauseMs, retry } from '../retry.ts';
import { OutOfTimeError, PassingFaultError } from './upstream-error.ts';

const defaultRetries = 4;

/** How long to go on, and how to wait: `until` is a time of `performance.now()`, `backoffMs` the first wait at most. */
export interface Patience {
  readonly until: number;
  readonly backoffMs: number;
  /** How often to try again; absent: a few times. */
  readonly retries?: number;
}

/** At least half of the longest pause, and scattered: clients that failed together do not come back together. */
const choosePauseMs = (earlier: number, { backoffMs }: Patience): number => {
  const longest = longestPauseMs(earlier, {
    firstMs: backoffMs,
    longestMs: Number.POSITIVE_INFINITY,
  });
  return longest * (0.5 + Math.random() / 2);
};

/** Tries again after faults that may pass, a few times and within the time given; then throws the last fault. */
export const withRetries = <T>(attempt: () => Promise<T>, patience: Patience): Promise<T> => {
  const { retries = defaultRetries } = patience;
  let last: PassingFaultError | undefined;
  return retry(attempt, ({ error, earlier }) => {
    // What went wrong until then says more than that time ended over it.
    if (error instanceof OutOfTimeError) throw last ?? error;
    if (!(error instanceof PassingFaultError) || earlier >= retries) throw error;
    last = error;
    const pauseMs = error.retryAfterMs ?? choosePauseMs(earlier, patience);
    if (performance.now() + pauseMs >= patience.until) throw explainWait(error);
    return pauseMs;
  });
};

const explainWait = (fault: PassingFaultError): PassingFaultError => {
  if (fault.retryAfterMs === undefined) return fault;
  const asked = `asked to wait ${Math.ceil(fault.retryAfterMs / 1000)} s, longer than there is time for`;
  return new PassingFaultError(`${fault.message} and ${asked}`, fault.retryAfterMs);
};
