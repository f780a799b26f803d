import { dayMs, hourMs, minuteMs } from '../../util/duration.ts';
import { exponentialDelay } from '../../util/retry.ts';
import type { Found } from './facts.ts';
import type { FactsSummary } from './summary.ts';

/** Delay before the scheduler fetches the metadata of a new version, in case its queue message is lost. */
const firstDelayMs = 15 * minuteMs;

/** Hours until the next fetch if upstream does not have the version or its response is invalid. */
const hoursUntilFound = 24;

/** Delay after a failed request to upstream, from a minute to an hour. */
const pauseAfter = exponentialDelay({ firstMs: minuteMs, longestMs: hourMs });
/** Number of consecutive failures after which the delay is a day. It is reached after about a day. */
const mostHourlyFailures = 30;

const after = (now: Date, ms: number): string => new Date(now.getTime() + ms).toISOString();

/** Returns when the scheduler first fetches the metadata of a new version, ISO 8601. */
export const chooseFirstRefresh = (now: Date): string => after(now, firstDelayMs);

/** Age up to which approved versions are watched for a removal upstream: most malicious versions are removed earlier. */
const watchedMs = 30 * dayMs;
/** Age up to which versions are watched more closely. */
const newMs = 72 * hourMs;
const newIntervalMs = 10 * minuteMs;

/** Minimum time between two fetches that confirm a removal: one wrong answer of an origin proves nothing. */
const confirmationMs = 5 * minuteMs;

/** True if the second fetch without a version may confirm its removal. */
const isConfirmable = (goneSince: string, now: Date): boolean =>
  now.getTime() - Date.parse(goneSince) >= confirmationMs;

/** True at the age at which a removal upstream recalls a version. Old versions are removed for other reasons. */
const isOfWatchedAge = (facts: Pick<FactsSummary, 'published_at'> | null, now: Date): boolean =>
  now.getTime() - Date.parse(facts?.published_at ?? '') < watchedMs;

/** Returns true if a fetch at `now` is the first that confirms the removal of a version of the watched age. */
export const confirmsRemoval = (known: FactsSummary | null, now: Date): boolean => {
  const since = known?.gone_since;
  if (!known || since === undefined || !isOfWatchedAge(known, new Date(since))) return false;
  return isConfirmable(since, now) && !isConfirmable(since, new Date(known.checked_at));
};

/** Parts of a review state by which a version is watched for a removal upstream. */
interface Watched {
  readonly isApproved: boolean;
  readonly facts: Pick<FactsSummary, 'published_at' | 'gone_since'> | null;
  /** True if a removal upstream recalled the version, which may come back. */
  readonly isRemoved: boolean;
}

/** Returns the milliseconds until the next check that upstream still has a version; undefined without a watch. */
export const findWatchInterval = (
  { isApproved, facts, isRemoved }: Watched,
  now: Date,
): number | undefined => {
  if (!(isApproved || isRemoved) || !isOfWatchedAge(facts, now)) return undefined;
  const since = facts?.gone_since;
  if (since !== undefined && !isConfirmable(since, now)) return confirmationMs;
  const ageMs = now.getTime() - Date.parse(facts?.published_at ?? '');
  return ageMs < newMs ? newIntervalMs : hourMs;
};

/** Age up to which a tag is often moved, for example by the release of a fix. */
const movedMs = 30 * dayMs;

/**
 * Returns the milliseconds until the next check that a tag still is the image that was reviewed; undefined for an old one.
 * Most registries do not say when an image was published, so that its submission counts, too.
 */
export const findTagInterval = (
  facts: Pick<FactsSummary, 'published_at'> | null,
  submittedAt: string,
  now: Date,
): number | undefined => {
  const times = [facts?.published_at, submittedAt].map((time) => Date.parse(time ?? ''));
  return times.some((time) => now.getTime() - time < movedMs) ? dayMs : undefined;
};

/** Outcome of a fetch, as far as it determines the next one. */
export interface FetchOutcome {
  readonly found: Found;
  /** True if the failure is retryable. */
  readonly passing?: boolean;
  /** Number of consecutive retryable failures before. */
  readonly failures?: number;
  /** Delay that upstream requests, if any. */
  readonly retryAfterMs?: number | null;
  /** Interval in milliseconds while the version is watched for a removal or a moved tag. */
  readonly watchMs?: number | undefined;
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
  const { found, passing, watchMs = Number.POSITIVE_INFINITY } = outcome;
  if (passing) return after(now, choosePauseMs(outcome));
  const hours = found === 'yes' ? everyHours : hoursUntilFound;
  return after(now, Math.min(watchMs, hours * hourMs));
};
