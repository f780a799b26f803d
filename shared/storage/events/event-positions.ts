import { TransactGetCommand } from '@aws-sdk/lib-dynamodb';
import { readTableName } from '../../api/settings/env.ts';
import { retryRead } from '../dynamodb/attempt.ts';
import { dynamodb } from '../dynamodb/dynamodb.ts';
import { queryItems } from '../dynamodb/read.ts';
import { readMetered } from '../dynamodb/read-budget.ts';
import { type ItemKey, typeItem } from '../dynamodb/table.ts';
import { type SequenceItem, sequenceKey, sequenceTable, toReviewState } from './event-count.ts';
import {
  type EventItem,
  eventsPerPartition,
  eventsTable,
  findPartition,
  formatPartition,
  formatSequence,
  toEventKey,
} from './event-item.ts';

/** Number of events in one transactional read with the sequence item. DynamoDB allows 100 items. */
export const numbersPerRead = 99;

/** Read units of the largest event. A transactional read costs twice as much as a plain one. */
const unitsAnEvent = 8;

/**
 * Returns the sequence item and some events in one transactional read. Separate reads could return the sequence item of
 * a transaction
 * before its events.
 */
const readMoment = async (numbers: readonly number[]) => {
  const keys: ItemKey[] = [sequenceKey, ...numbers.map(toEventKey)];
  const TableName = readTableName(eventsTable.id);
  const TransactItems = keys.map((Key) => ({ Get: { TableName, Key } }));
  const { answer } = await readMetered(
    () => keys.length * unitsAnEvent,
    (metered) => {
      const command = new TransactGetCommand({ TransactItems, ...metered });
      return retryRead((options) => dynamodb.send(command, options));
    },
  );
  const [head, ...events] = (answer.Responses ?? []).map(({ Item }) => Item);
  return { head: head && typeItem(sequenceTable, head), events };
};

/** Returns the sequence item in a transactional read, so that no write to it is in progress. */
export const readSettledSequence = async (): Promise<SequenceItem | undefined> =>
  (await readMoment([])).head;

/** Returns the numbers without an event that will never have one: the sequence item has already reached them. */
export const findLost = async (numbers: readonly number[]): Promise<number[]> => {
  const lost: number[] = [];
  for (let at = 0; at < numbers.length; at += numbersPerRead) {
    const some = numbers.slice(at, at + numbersPerRead);
    const { head, events } = await readMoment(some);
    lost.push(...some.filter((number, place) => !events[place] && number <= toReviewState(head)));
  }
  return lost;
};

/** Returns up to `count` events after a sequence, within its partition; fewer if the read budget is used up. */
export const listPartition = (after: number, count: number): Promise<EventItem[]> =>
  queryItems(
    eventsTable,
    {
      KeyConditionExpression: 'p = :partition AND s > :after',
      ExpressionAttributeValues: {
        ':partition': formatPartition(findPartition(after + 1)),
        ':after': formatSequence(after),
      },
    },
    count,
    { endsEarly: true },
  );

/** Returns the last sequence of a partition; undefined if the partition is empty. */
const findLastOf = async (partition: number): Promise<number | undefined> => {
  const range = {
    KeyConditionExpression: 'p = :partition',
    ExpressionAttributeValues: { ':partition': formatPartition(partition) },
    ScanIndexForward: false,
  };
  const [last] = await queryItems(eventsTable, range, 1);
  return last && Number(last.s);
};

/** Returns the last partition with events, by binary search. All partitions before it must have events. */
const findLastPartition = async (): Promise<number> => {
  let beyond = 1;
  while ((await findLastOf(beyond)) !== undefined) beyond *= 2;
  let last = Math.floor(beyond / 2);
  while (beyond - last > 1) {
    const middle = Math.floor((last + beyond) / 2);
    if ((await findLastOf(middle)) === undefined) beyond = middle;
    else last = middle;
  }
  return last;
};

/** Returns the highest sequence of an event, which is probably near `guess`; 0 if there is no event. */
export const findLastSequence = async (guess: number): Promise<number> => {
  const partition = Math.max(0, findPartition(guess));
  const [here, next] = await Promise.all([findLastOf(partition), findLastOf(partition + 1)]);
  if (here !== undefined && next === undefined) return here;
  return (await findLastOf(await findLastPartition())) ?? 0;
};

/** Returns the numbers after one, up to and including another. */
export const listNumbers = (after: number, last: number): number[] =>
  Array.from({ length: Math.max(0, last - after) }, (_, at) => after + 1 + at);

/** Returns the first number with an event after another, up to the partition of `head`; undefined if there is none. */
export const findNextSequence = async (
  after: number,
  head: number,
): Promise<number | undefined> => {
  const [here] = await listPartition(after, 1);
  if (here) return Number(here.s);
  // If `head` is far beyond all events, not every partition up to it must be read.
  const last = Math.min(head, await findLastSequence(head));
  for (let at = findPartition(after + 1) + 1; at <= findPartition(last); at += 1) {
    const [next] = await listPartition(at * eventsPerPartition, 1);
    if (next) return Number(next.s);
  }
  return undefined;
};
