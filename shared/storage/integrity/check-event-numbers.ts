import { readSequence, toReviewState } from '../events/event-count.ts';
import { eventsPerPartition, findPartition } from '../events/event-item.ts';
import {
  findLastSequence,
  findLost,
  listNumbers,
  listPartition,
} from '../events/event-positions.ts';
import type { CheckContext } from './tally.ts';

/** What one partition of the sequence holds, up to the last event. */
const readPartition = async (partition: number) => {
  const last = await findLastSequence(toReviewState(await readSequence()));
  const before = partition * eventsPerPartition;
  const events = await listPartition(before, eventsPerPartition);
  const present = new Set(events.map(({ s }) => Number(s)));
  const numbers = listNumbers(before, Math.min(before + eventsPerPartition, last));
  const lost = await findLost(numbers.filter((number) => !present.has(number)));
  return { count: events.length, lost, isLast: partition >= findPartition(last) };
};

/** The numbers that have no event though the last one is behind them, in their order. */
export async function* listLostNumbers(): AsyncGenerator<number, undefined> {
  for (let partition = 0; ; partition += 1) {
    const { lost, isLast } = await readPartition(partition);
    yield* lost;
    if (isLast) return undefined;
  }
}

/**
 * Looks at one partition of the sequence for numbers that are lost.
 * @returns where to go on; undefined after the last partition
 */
export const checkNumbers = async (
  partition: number,
  { tally }: CheckContext,
): Promise<number | undefined> => {
  const { count, lost, isLast } = await readPartition(partition);
  for (const number of lost) tally.find('missing_event_number', `no event is ${number}`);
  tally.check('events', count);
  return isLast ? undefined : partition + 1;
};
