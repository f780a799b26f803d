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
 * The events of a page up to the first hole. A query is not isolated from a transaction that commits meanwhile, and may
 * find its later events alone. Whoever goes on from these would never see the others.
 */
const takeUnbroken = (page: readonly EventItem[], after: number): readonly EventItem[] => {
  const hole = page.findIndex(({ s }, at) => s !== formatSequence(after + 1 + at));
  return hole < 0 ? page : page.slice(0, hole);
};

/**
 * Where to go on where the events after a sequence are not seen: behind them if they are lost, at the same place if they
 * were only about to come; undefined at the end of all events.
 */
const findEndOfHole = async (after: number): Promise<number | undefined> => {
  const head = toReviewState(await readSequence());
  if (head <= after) return undefined;
  const next = await findNextSequence(after, head);
  if (next === undefined) return undefined;
  const end = Math.min(next - 1, head);
  // Those further back were followed by three whole transactions: none of them is under way.
  const doubtful = listNumbers(Math.max(after, end - numbersPerRead), end);
  const lost = await findLost(doubtful);
  return lost.length === doubtful.length ? end : after;
};

/** What another round of reads may take, with a look at a hole. */
const unitsToGoOn = 1000;

/** Up to `count` events after a sequence, in their order. A sequence that is there is never followed by one that comes later. */
export const listEvents = async (after: number, count: number): Promise<RegistryEvent[]> => {
  const events: EventItem[] = [];
  let last = after;
  while (events.length === 0 || (events.length < count && hasReadUnits(unitsToGoOn))) {
    const page = await listPartition(last, count - events.length);
    const unbroken = takeUnbroken(page, last);
    events.push(...unbroken);
    last += unbroken.length;
    if (events.length === count) break;
    // Only a partition that is full is followed by another one.
    if (unbroken.length > 0 && last % eventsPerPartition === 0) continue;
    const end = await findEndOfHole(last);
    if (end === undefined) break;
    last = end;
  }
  return events.map(toEvent);
};
