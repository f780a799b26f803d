/** API Gateway's throttling, with one token bucket for each method. */
import type { Route } from '../template/model.ts';

/** Takes one token from the method's bucket. Returns false if the bucket is empty. */
export type Throttling = (route: Route) => boolean;

interface Bucket {
  left: number;
  /** Time of the value in `left`, in milliseconds of the clock. */
  filledAt: number;
}

/** @param now a clock in milliseconds */
export const createThrottling = (now: () => number = () => performance.now()): Throttling => {
  const buckets = new Map<string, Bucket>();
  return ({ id, throttle }) => {
    if (throttle === undefined) return true;
    const { left, filledAt } = buckets.get(id) ?? { left: throttle.burst, filledAt: now() };
    const refilled = left + ((now() - filledAt) / 1000) * throttle.ratePerSecond;
    const available = Math.min(throttle.burst, refilled);
    const isLetThrough = available >= 1;
    buckets.set(id, { left: isLetThrough ? available - 1 : available, filledAt: now() });
    return isLetThrough;
  };
};
