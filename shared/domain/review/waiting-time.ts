const hourSeconds = 3600;

/** Longest waiting times of the buckets, in hours. One more bucket has all longer times. */
const bucketHours = [0.25, 1, 4, 12, 24, 48, 72, 120, 168, 336, 720] as const;

/** Number of buckets for waiting times. */
export const waitBuckets = bucketHours.length + 1;

/** Returns the bucket of a waiting time in seconds, from 0. */
export const findWaitBucket = (seconds: number): number => {
  const at = bucketHours.findIndex((hours) => seconds <= hours * hourSeconds);
  return at < 0 ? bucketHours.length : at;
};

/** Shortest and longest waiting times that buckets tell apart, in hours. */
export const waitLimits = { shortest: bucketHours[0], longest: bucketHours[10] } as const;

/** Adds up the counts of several days, bucket by bucket. */
export const sumWaits = (days: readonly { readonly waits: readonly number[] }[]): number[] =>
  Array.from({ length: waitBuckets }, (_, bucket) =>
    days.reduce((sum, { waits }) => sum + (waits[bucket] ?? 0), 0),
  );

/** True if a share of decisions took longer than the buckets tell apart, so that its time is not known. */
export const isBeyondBuckets = (counts: readonly number[], share: number): boolean => {
  const total = counts.reduce((sum, count) => sum + count, 0);
  return total - (counts[bucketHours.length] ?? 0) < total * share;
};

/**
 * Returns the time in hours within which a share of decisions was made, such as 0.5 for the median; null without decisions.
 * `counts` has one count for each bucket. The time is an estimate: times in one bucket count as spread evenly.
 * Longer times than 720 hours count as 720: `isBeyondBuckets` is true for them.
 */
export const findPercentile = (counts: readonly number[], share: number): number | null => {
  const wanted = counts.reduce((sum, count) => sum + count, 0) * share;
  if (wanted === 0) return null;
  let below = 0;
  for (const [at, count] of counts.entries()) {
    if (below + count >= wanted) {
      const [from, to] = [bucketHours[at - 1] ?? 0, bucketHours[at] ?? waitLimits.longest];
      return from + (to - from) * ((wanted - below) / count);
    }
    below += count;
  }
  return waitLimits.longest;
};
