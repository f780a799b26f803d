import type { RegistryEvent } from '../../api/schemas/event.ts';
import { hasReadUnits } from '../dynamodb/read-budget.ts';
import { readSequence, toReviewState } from './event-count.ts';
import { type EventItem, eventsPerPartition, formatSequence, toEvent } from './event-item.ts';
import {
  findLost,
  findNextSequence,
  listNumbers,
  listPartition,
  numbersPerRead,
} from './event-positions.ts';

/**
 * Returns the events of a page up to the first gap. A query is not isolated from a concurrent transaction, and may find
 * only
 * its later events. A reader that continued after them would miss the others.
 */
const takeUnbroken = (page: readonly EventItem[], after: number): readonly EventItem[] => {
  const hole = page.findIndex(({ s }, at) => s !== formatSequence(after + 1 + at));
  return hole < 0 ? page : page.slice(0, hole);
};

/**
 * Returns the sequence after which to continue at a gap: its end if the events are lost, or the same sequence if they
 * are still being written. Returns undefined at the end of all events.
 */
const findEndOfHole = async (after: number): Promise<number | undefined> => {
  const head = toReviewState(await readSequence());
  if (head <= after) return undefined;
  const next = await findNextSequence(after, head);
  if (next === undefined) return undefined;
  const end = Math.min(next - 1, head);
  // Three complete transactions followed the earlier numbers, so none of them is in progress.
  const doubtful = listNumbers(Math.max(after, end - numbersPerRead), end);
  const lost = await findLost(doubtful);
  return lost.length === doubtful.length ? end : after;
};

/** Read units that another round of reads may need, including the check of a gap. */
const unitsToGoOn = 1000;

/** Returns up to `count` events after a sequence, in order. A later read adds no event before a returned one. */
export const listEvents = async (after: number, count: number): Promise<RegistryEvent[]> => {
  const events: EventItem[] = [];
  let last = after;
  while (events.length === 0 || (events.length < count && hasReadUnits(unitsToGoOn))) {
    const page = await listPartition(last, count - events.length);
    const unbroken = takeUnbroken(page, last);
    events.push(...unbroken);
    last += unbroken.length;
    if (events.length === count) break;
    // Only a full partition has a next one.
    if (unbroken.length > 0 && last % eventsPerPartition === 0) continue;
    const end = await findEndOfHole(last);
    if (end === undefined) break;
    last = end;
  }
  return events.map(toEvent);
};
