import type { RegistryClient } from '../../../shared/api/client/operations.ts';
import type { RegistryEvent } from '../../../shared/api/schemas/event.ts';
import { findDecidingRule } from '../../../shared/domain/policy/rule.ts';
import { hourMs } from '../../../shared/util/duration.ts';

const isDecision = ({ type }: RegistryEvent): boolean =>
  type === 'package.approved' || type === 'package.rejected';

interface ActivityList {
  readonly title: string;
  readonly includes: (event: RegistryEvent) => boolean;
}

/** The lists of activity, by the names in their addresses. */
export const activityLists: ReadonlyMap<string, ActivityList> = new Map([
  ['submitted', { title: 'Submitted', includes: ({ type }) => type === 'package.submitted' }],
  ['approved', { title: 'Approved', includes: ({ type }) => type === 'package.approved' }],
  ['rejected', { title: 'Rejected', includes: ({ type }) => type === 'package.rejected' }],
  ['expired', { title: 'Expired', includes: ({ type }) => type === 'package.expired' }],
  ['decided', { title: 'Decisions', includes: isDecision }],
  [
    'by-people',
    {
      title: 'Decisions by people',
      includes: (event) => isDecision(event) && findDecidingRule(event) === null,
    },
  ],
  [
    'by-policy',
    {
      title: 'Decisions by policy',
      includes: (event) => isDecision(event) && findDecidingRule(event) !== null,
    },
  ],
]);

/** A filter of events: one list, and the first and the last day, ISO 8601 in UTC, as statistics count them. */
export interface EventFilter {
  readonly list: ActivityList;
  readonly from: string;
  readonly to: string;
}

/** A page of events, the newest first. `before` is the sequence number for the next page; null on the last page. */
export interface ActivityPage {
  readonly events: readonly RegistryEvent[];
  readonly before: number | null;
}

/** The most events in one request. */
const maxEvents = 500;

/** A page ends after this number of events. */
const pageSize = 100;

const matches =
  ({ list: { includes }, from, to }: EventFilter) =>
  (event: RegistryEvent): boolean => {
    const day = event.at.slice(0, 'yyyy-mm-dd'.length);
    return includes(event) && from <= day && day <= to;
  };

/** Returns true if older events cannot match. Times may differ from the order of events by moments. */
const isBeforeFilter = (events: readonly RegistryEvent[], { from }: EventFilter): boolean =>
  events.some(({ at }) => Date.parse(at) < Date.parse(from) - hourMs);

interface ReadOptions {
  readonly signal: AbortSignal;
}

/** Resolves to the events between two sequence numbers, in several requests if needed. */
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

/** Reads a page of matching events. `before` comes from the previous page; without it, the newest events are read. */
export const readActivity = async (
  api: RegistryClient,
  filter: EventFilter,
  { before, ...options }: ReadOptions & { readonly before: number | undefined },
): Promise<ActivityPage> => {
  const found: RegistryEvent[] = [];
  let end = before ?? (await api.listEvents({ query: { last: 0 } }, options)).next;
  while (end > 0 && found.length < pageSize) {
    const start = Math.max(0, end - maxEvents);
    const events = await readRange(api, [start, end], options);
    found.push(...events.filter(matches(filter)).reverse());
    end = isBeforeFilter(events, filter) ? 0 : start;
  }
  return { events: found, before: end > 0 ? end : null };
};
