import type { Found } from '../domain/facts/facts.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** How long a version that was just submitted is left to its queue, before the clock has its origin asked. */
const firstPatienceMs = 15 * minuteMs;

/** After how many hours an origin is asked again that has not answered as it should, or not at all. */
const hoursUntilFound = 24;
const hoursUntilReachable = 1;

const after = (now: Date, ms: number): string => new Date(now.getTime() + ms).toISOString();

/** When the origin of a new version is asked by the clock, if it was not asked before; ISO 8601. */
export const chooseFirstAsking = (now: Date): string => after(now, firstPatienceMs);

/** When the origin of a version is asked again, by what it said, or whether it may soon say more; ISO 8601. */
export const chooseNextAsking = (
  { found, passing = false }: { readonly found: Found; readonly passing?: boolean },
  { now, everyHours }: { readonly now: Date; readonly everyHours: number },
): string => {
  if (found === 'yes') return after(now, everyHours * hourMs);
  return after(now, (passing ? hoursUntilReachable : hoursUntilFound) * hourMs);
};

/** When the origin of a version is asked again by the clock that was just put into the queue; ISO 8601. */
export const chooseRetry = (now: Date): string => after(now, hoursUntilReachable * hourMs);
