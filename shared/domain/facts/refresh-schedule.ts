import { exponentialDelay } from '../../util/retry.ts';
import type { Found } from './facts.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** How long a version that was just submitted is left to its queue, before the clock has its origin asked. */
const firstDelayMs = 15 * minuteMs;

/** Hours until the next fetch if upstream does not have the version or its response is invalid. */
const hoursUntilFound = 24;
/** Hours until a queued fetch is scheduled again, in case its message is lost. */
const hoursUntilRetried = 1;

/** Delay after a failed request to upstream, from a minute to an hour. */
const pauseAfter = exponentialDelay({ firstMs: minuteMs, longestMs: hourMs });
/** Number of consecutive failures after which the delay is a day. It is reached after about a day. */
const mostHourlyFailures = 30;
const dayMs = 24 * hourMs;

const after = (now: Date, ms: number): string => new Date(now.getTime() + ms).toISOString();

/** When the origin of a new version is asked by the clock, if it was not asked before; ISO 8601. */
export const chooseFirstRefresh = (now: Date): string => after(now, firstDelayMs);

/** Outcome of a fetch, as far as it determines the next one. */
export interface Asked {
  readonly found: Found;
  /** True if the failure is retryable. */
  readonly passing?: boolean;
  /** Number of consecutive retryable failures before. */
  readonly failures?: number;
  /** Delay that upstream requests, if any. */
  readonly retryAfterMs?: number | null;
}

/** Returns the delay with up to a quarter of jitter, so that versions that failed together are not retried together. */
const choosePauseMs = ({ failures = 0, retryAfterMs }: Asked): number => {
  const pauseMs = failures < mostHourlyFailures ? pauseAfter(failures) : dayMs;
  const requestedMs = Math.min(retryAfterMs ?? 0, dayMs);
  return Math.max(pauseMs, requestedMs) * (1 + Math.random() / 4);
};

/** Returns when the metadata of a version is fetched next, by the outcome of the last fetch; ISO 8601. */
export const chooseNextRefresh = (
  asked: Asked,
  { now, everyHours }: { readonly now: Date; readonly everyHours: number },
): string => {
  if (asked.found === 'yes') return after(now, everyHours * hourMs);
  return after(now, asked.passing ? choosePauseMs(asked) : hoursUntilFound * hourMs);
};

/** Returns when the scheduler fetches the metadata of a queued version again, ISO 8601. */
export const chooseRetry = (now: Date): string => after(now, hoursUntilRetried * hourMs);
