import { dayMs, hourMs, minuteMs } from '../../util/duration.ts';
import { exponentialDelay } from '../../util/retry.ts';
import type { Found } from './facts.ts';

/** Delay before the scheduler fetches the metadata of a new version, in case its queue message is lost. */
const firstDelayMs = 15 * minuteMs;

/** Hours until the next fetch if upstream does not have the version or its response is invalid. */
const hoursUntilFound = 24;
/** Hours until a queued fetch is scheduled again, in case its message is lost. */
const hoursUntilRetried = 1;

/** Delay after a failed request to upstream, from a minute to an hour. */
const pauseAfter = exponentialDelay({ firstMs: minuteMs, longestMs: hourMs });
/** Number of consecutive failures after which the delay is a day. It is reached after about a day. */
const mostHourlyFailures = 30;

const after = (now: Date, ms: number): string => new Date(now.getTime() + ms).toISOString();

/** Returns when the scheduler first fetches the metadata of a new version, ISO 8601. */
export const chooseFirstRefresh = (now: Date): string => after(now, firstDelayMs);

/** Outcome of a fetch, as far as it determines the next one. */
export interface FetchOutcome {
  readonly found: Found;
  /** True if the failure is retryable. */
  readonly passing?: boolean;
  /** Number of consecutive retryable failures before. */
  readonly failures?: number;
  /** Delay that upstream requests, if any. */
  readonly retryAfterMs?: number | null;
}

/** Returns the delay with up to a quarter of jitter, so that versions that failed together are not retried together. */
const choosePauseMs = ({ failures = 0, retryAfterMs }: FetchOutcome): number => {
  const pauseMs = failures < mostHourlyFailures ? pauseAfter(failures) : dayMs;
  const requestedMs = Math.min(retryAfterMs ?? 0, dayMs);
  return Math.max(pauseMs, requestedMs) * (1 + Math.random() / 4);
};

/** Returns when the metadata of a version is fetched next, by the outcome of the last fetch; ISO 8601. */
export const chooseNextRefresh = (
  outcome: FetchOutcome,
  { now, everyHours }: { readonly now: Date; readonly everyHours: number },
): string => {
  if (outcome.found === 'yes') return after(now, everyHours * hourMs);
  return after(now, outcome.passing ? choosePauseMs(outcome) : hoursUntilFound * hourMs);
};

/** Returns when the scheduler fetches the metadata of a queued version again, ISO 8601. */
export const chooseRetry = (now: Date): string => after(now, hoursUntilRetried * hourMs);
