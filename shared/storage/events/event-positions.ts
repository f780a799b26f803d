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

/** How many numbers are read together with the head at one moment, of the 100 items that DynamoDB lets one read. */
export const numbersPerRead = 99;

/** What the largest events take, which are read twice: they have a reason, names and identities, and no more. */
const unitsAnEvent = 8;

/**
 * Reads the head and the events of some numbers as they are at one moment, with no transaction half done. Reads that
 * follow each other cannot tell: the head of a transaction may be there before its events.
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

/** The head of the sequence, which no transaction is about to change. */
export const readSettledSequence = async (): Promise<SequenceItem | undefined> =>
  (await readMoment([])).head;

/** Those of some numbers that have no event and get none, since the head is at them or beyond. */
export const findLost = async (numbers: readonly number[]): Promise<number[]> => {
  const lost: number[] = [];
  for (let at = 0; at < numbers.length; at += numbersPerRead) {
    const some = numbers.slice(at, at + numbersPerRead);
    const { head, events } = await readMoment(some);
    lost.push(...some.filter((number, place) => !events[place] && number <= toReviewState(head)));
  }
  return lost;
};

/** Up to `count` events after a sequence, of those in its partition; fewer where the request may read no more. */
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

/** The last sequence of a partition; undefined where there is none. */
const findLastOf = async (partition: number): Promise<number | undefined> => {
  const range = {
    KeyConditionExpression: 'p = :partition',
    ExpressionAttributeValues: { ':partition': formatPartition(partition) },
    ScanIndexForward: false,
  };
  const [last] = await queryItems(eventsTable, range, 1);
  return last && Number(last.s);
};

/** The last partition that holds anything, by halving the distance; each before it does. */
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

/** The highest sequence that an event has, which is most likely near `guess`; 0 where there is no event. */
export const findLastSequence = async (guess: number): Promise<number> => {
  const partition = Math.max(0, findPartition(guess));
  const [here, next] = await Promise.all([findLastOf(partition), findLastOf(partition + 1)]);
  if (here !== undefined && next === undefined) return here;
  return (await findLastOf(await findLastPartition())) ?? 0;
};

/** The numbers after one, up to another. */
export const listNumbers = (after: number, last: number): number[] =>
  Array.from({ length: Math.max(0, last - after) }, (_, at) => after + 1 + at);

/** The first number after one that has an event, up to the partition of the head; undefined where there is none. */
export const findNextSequence = async (
  after: number,
  head: number,
): Promise<number | undefined> => {
  const [here] = await listPartition(after, 1);
  if (here) return Number(here.s);
  // A head that is far ahead of all events must not have each partition up to it read.
  const last = Math.min(head, await findLastSequence(head));
  for (let at = findPartition(after + 1) + 1; at <= findPartition(last); at += 1) {
    const [next] = await listPartition(at * eventsPerPartition, 1);
    if (next) return Number(next.s);
  }
  return undefined;
};
