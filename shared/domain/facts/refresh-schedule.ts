import { exponentialDelay } from '../../util/retry.ts';
import type { Found } from './facts.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** How long a version that was just submitted is left to its queue, before the clock has its origin asked. */
const firstPatienceMs = 15 * minuteMs;

/** After how many hours an origin is asked again that does not have the version, or answers nonsense. */
const hoursUntilFound = 24;
/** What was put into the queue and got lost there is asked for again after that. */
const hoursUntilRetried = 1;

/** The pauses before an origin is asked again that could not be asked: they double from a minute up to an hour. */
const pauseAfter = exponentialDelay({ firstMs: minuteMs, longestMs: hourMs });
/** After so many failures in a row, which is about a day, it is asked once a day. */
const mostHourlyFailures = 30;
const dayMs = 24 * hourMs;

const after = (now: Date, ms: number): string => new Date(now.getTime() + ms).toISOString();

/** When the origin of a new version is asked by the clock, if it was not asked before; ISO 8601. */
export const chooseFirstAsking = (now: Date): string => after(now, firstPatienceMs);

/** What came of asking an origin, as far as it says when to ask again. */
export interface Asked {
  readonly found: Found;
  /** Whether it could not be asked for a reason that may soon be over. */
  readonly passing?: boolean;
  /** How often in a row that was so before. */
  readonly failures?: number;
  /** How long the origin asks to wait, if it does. */
  readonly retryAfterMs?: number | null;
}

/** At least the pause, and up to a quarter more: versions that failed together do not all come back together. */
const choosePauseMs = ({ failures = 0, retryAfterMs }: Asked): number => {
  const pauseMs = failures < mostHourlyFailures ? pauseAfter(failures) : dayMs;
  const asked = Math.min(retryAfterMs ?? 0, dayMs);
  return Math.max(pauseMs, asked) * (1 + Math.random() / 4);
};

/** When the origin of a version is asked again, by what it said, or whether it may soon say more; ISO 8601. */
export const chooseNextAsking = (
  asked: Asked,
  { now, everyHours }: { readonly now: Date; readonly everyHours: number },
): string => {
  if (asked.found === 'yes') return after(now, everyHours * hourMs);
  return after(now, asked.passing ? choosePauseMs(asked) : hoursUntilFound * hourMs);
};

/** When the origin of a version is asked again by the clock that was just put into the queue; ISO 8601. */
export const chooseRetry = (now: Date): string => after(now, hoursUntilRetried * hourMs);
