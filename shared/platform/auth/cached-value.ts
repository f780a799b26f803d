import { exponentialDelay } from '../../util/retry.ts';

/** Limits of a cached value, in milliseconds. */
interface CacheLimits {
  /** Age at which the value is loaded again. */
  readonly lifetimeMs: number;
  /** Minimum time between two loads of one function instance, also after failures. */
  readonly refreshIntervalMs: number;
  /** Maximum age of a value in use while loads fail. */
  readonly staleLimitMs: number;
  /** Delay before the first retry until the first value is loaded. Each further delay is twice as long. Default: 100. */
  readonly firstRetryMs?: number;
}

interface CacheParts<V> extends CacheLimits {
  /** Loads the value. Rejects if it is unavailable. */
  readonly load: () => Promise<V>;
  /** Returns the time in epoch milliseconds. A monotonic clock may stop while Lambda freezes the function. */
  readonly now: () => number;
  /** Receives the error of each failed load. */
  readonly noteFailure: (error: unknown) => void;
}

/** A value that a function instance loads again at intervals, and uses for a while after a failed load. */
export interface CachedValue<V> {
  /** Returns the current value; undefined if no value is loaded that is fresh enough. */
  current(): Promise<V | undefined>;
  /** Returns the value after it lacked something. Loads it again, unless the last load was moments ago. */
  refreshed(): Promise<V | undefined>;
}

/** Returns the cache of a value that is loaded from another service. It follows its limits, with one load at a time. */
export const createCachedValue = <V>({
  load,
  now,
  noteFailure,
  lifetimeMs,
  refreshIntervalMs,
  staleLimitMs,
  firstRetryMs = 100,
}: CacheParts<V>): CachedValue<V> => {
  /** `asOf` is the start of the load: what was revoked later may still be in the value. */
  let loaded: { readonly value: V; readonly asOf: number } | undefined;
  let lastAttempt = Number.NEGATIVE_INFINITY;
  let failures = 0;
  let underWay: Promise<void> | undefined;
  /** Delays between loads until the first value is loaded. */
  const firstDelays = exponentialDelay({
    firstMs: firstRetryMs,
    longestMs: refreshIntervalMs,
  });

  /** True if `moment` is less than `ms` ago. After the clock was set back, each future moment counts as old. */
  const isWithin = (moment: number, ms: number): boolean => {
    const age = now() - moment;
    return age >= 0 && age < ms;
  };

  /** Returns the minimum time between loads. Without any value all requests fail, so the first retries come sooner. */
  const pauseMs = (): number =>
    loaded || failures === 0 ? refreshIntervalMs : firstDelays(failures - 1);

  const loadOnce = async (): Promise<void> => {
    const asOf = now();
    lastAttempt = asOf;
    try {
      loaded = { value: await load(), asOf };
    } catch (error) {
      failures += 1;
      noteFailure(error);
    }
  };

  const refresh = async (): Promise<void> => {
    if (!underWay && isWithin(lastAttempt, pauseMs())) return;
    underWay ??= loadOnce().finally(() => {
      underWay = undefined;
    });
    await underWay;
  };

  const usable = (): V | undefined =>
    loaded && isWithin(loaded.asOf, staleLimitMs) ? loaded.value : undefined;

  return {
    async current() {
      if (!loaded || !isWithin(loaded.asOf, lifetimeMs)) await refresh();
      return usable();
    },
    async refreshed() {
      await refresh();
      return usable();
    },
  };
};
