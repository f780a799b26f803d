import type { RegistryClient } from '../../../shared/api/client/operations.ts';
import type { RegistryEvent } from '../../../shared/api/schemas/event.ts';

/** The events that are wanted: of one type, from a day to another one, ISO 8601 in UTC, as statistics count them. */
export interface Wanted {
  readonly type: string;
  readonly from: string;
  readonly to: string;
}

/** Events, the newest first, and before which sequence older ones are; null where all are there. */
export interface Activity {
  readonly events: readonly RegistryEvent[];
  readonly before: number | null;
}

/** So many events are read at once. */
const atOnce = 500;

/** So many are enough for a page. */
const enough = 100;

const hourMs = 60 * 60_000;

const isWanted =
  ({ type, from, to }: Wanted) =>
  (event: RegistryEvent): boolean => {
    const day = event.at.slice(0, 'yyyy-mm-dd'.length);
    return event.type === type && from <= day && day <= to;
  };

/** Whether older events cannot be wanted: their order and their times differ by moments. */
const isPast = (events: readonly RegistryEvent[], { from }: Wanted): boolean =>
  events.some(({ at }) => Date.parse(at) < Date.parse(from) - hourMs);

interface ReadOptions {
  readonly signal: AbortSignal;
}

/** Returns the events after a sequence up to another one, in as many requests as that takes. */
const readRange = async (
  api: RegistryClient,
  [start, end]: readonly [start: number, end: number],
  options: ReadOptions,
): Promise<RegistryEvent[]> => {
  const found: RegistryEvent[] = [];
  let after = start;
  while (after < end) {
    const { events, next } = await api.listEvents(
      { query: { after, limit: end - after } },
      options,
    );
    found.push(...events);
    if (next <= after) break;
    after = next;
  }
  return found;
};

/** Reads a page of wanted events, the newest first. `before` is where the page before it ended; absent: from the newest. */
export const readActivity = async (
  api: RegistryClient,
  wanted: Wanted,
  { before, ...options }: ReadOptions & { readonly before: number | undefined },
): Promise<Activity> => {
  const found: RegistryEvent[] = [];
  let end = before ?? (await api.listEvents({ query: { last: 0 } }, options)).next;
  while (end > 0 && found.length < enough) {
    const start = Math.max(0, end - atOnce);
    const events = await readRange(api, [start, end], options);
    found.push(...events.filter(isWanted(wanted)).reverse());
    end = isPast(events, wanted) ? 0 : start;
  }
  return { events: found, before: end > 0 ? end : null };
};
