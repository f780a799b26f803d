import { setTimeout as wait } from 'node:timers/promises';
import { OutOfTime, PassingFault } from './osv-error.ts';

const maxRetries = 4;

/** How long to go on, and how to wait: `until` is a time of `performance.now()`, `backoffMs` the first wait at most. */
export interface Patience {
  readonly until: number;
  readonly backoffMs: number;
}

/** Waits double, and are scattered so that clients that failed together do not come back together. */
const backoff = (attempt: number, { backoffMs }: Patience): number =>
  backoffMs * 2 ** attempt * (0.5 + Math.random() / 2);

/** Tries again after faults that may pass, a few times and within the time given; then throws the last fault. */
export const withRetries = async <T>(
  attemptOnce: () => Promise<T>,
  patience: Patience,
): Promise<T> => {
  let earlier: PassingFault | undefined;
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await attemptOnce();
    } catch (fault) {
      // What went wrong until then says more than that time ended over it.
      if (fault instanceof OutOfTime) throw earlier ?? fault;
      if (!(fault instanceof PassingFault) || attempt >= maxRetries) throw fault;
      earlier = fault;
      const pause = fault.retryAfterMs ?? backoff(attempt, patience);
      if (performance.now() + pause >= patience.until) throw tooLongToWait(fault);
      await wait(pause);
    }
  }
};

const tooLongToWait = (fault: PassingFault): PassingFault => {
  if (fault.retryAfterMs === undefined) return fault;
  const asked = `asked to wait ${Math.ceil(fault.retryAfterMs / 1000)} s, longer than the scan may take`;
  return new PassingFault(`${fault.message} and ${asked}`, fault.retryAfterMs);
};
