/** API Gateway's throttling: a token bucket for each method. */
import type { Route } from '../template/model.ts';

/** Takes a token for the method; false: there is none left. */
export type Throttling = (route: Route) => boolean;

interface Bucket {
  tokens: number;
  /** Milliseconds of the clock when `tokens` was true. */
  filledAt: number;
}

/** @param now a clock in milliseconds */
export function createThrottling(now: () => number = () => performance.now()): Throttling {
  const buckets = new Map<string, Bucket>();
  return ({ id, throttle }) => {
    if (throttle === undefined) return true;
    const { tokens, filledAt } = buckets.get(id) ?? { tokens: throttle.burst, filledAt: now() };
    const refilled = tokens + ((now() - filledAt) / 1000) * throttle.ratePerSecond;
    const available = Math.min(throttle.burst, refilled);
    const isLetThrough = available >= 1;
    buckets.set(id, { tokens: isLetThrough ? available - 1 : available, filledAt: now() });
    return isLetThrough;
  };
}
