/** API Gateway's throttling: a bucket for each method, of which each request takes one, and which refills steadily. */
import type { Route } from '../template/model.ts';

/** Takes one from the method's bucket; false: there is none left. */
export type Throttling = (route: Route) => boolean;

interface Bucket {
  left: number;
  /** Milliseconds of the clock when `left` was true. */
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
