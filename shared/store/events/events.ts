import type { RegistryEvent } from '../../schemas/event.ts';
import type { RecordItem } from '../decisions/records.ts';
import { queryItems } from '../read.ts';
import { defineTable } from '../table.ts';

/** How many events stand together in one partition. */
const eventsAPartition = 1000;

/**
 * As many as one transaction appends: besides the head of the sequence, three items for each in the worst case, the event,
 * its note, and a day of its own.
 */
export const eventsATransaction = 33;

/** Sequences sort as text: enough for ever. */
const sequenceWidth = 12;

/** What an event may have nothing to say of. */
type Nullable = {
  [F in keyof RegistryEvent]: null extends RegistryEvent[F] ? F : never;
}[keyof RegistryEvent];

/**
 * An event as it is stored: all its fields but the sequence are text, empty where there is nothing to say, as what
 * delivers it elsewhere fills a template with them.
 */
export type EventItem = {
  readonly p: string;
  readonly s: string;
  readonly sequence: number;
} & { readonly [F in Exclude<keyof RegistryEvent, 'sequence' | Nullable>]: RegistryEvent[F] } & {
  readonly [F in Nullable]: NonNullable<RegistryEvent[F]> | '';
};

export const eventsTable = defineTable<EventItem>('events');

const findPartition = (sequence: number): number => Math.floor((sequence - 1) / eventsAPartition);

const toPartition = (sequence: number): string => `e#${findPartition(sequence)}`;

const formatSequence = (sequence: number): string => String(sequence).padStart(sequenceWidth, '0');

export const toEventKey = (sequence: number) => ({
  p: toPartition(sequence),
  s: formatSequence(sequence),
});

/** The event that a record stands for. */
export const toEventItem = (record: RecordItem, sequence: number): EventItem => ({
  ...toEventKey(sequence),
  sequence,
  id: record.id,
  type: record.type,
  at: record.at,
  ecosystem: record.ecosystem ?? '',
  name: record.name ?? '',
  version: record.version ?? '',
  license: record.license ?? '',
  by: record.by ?? '',
  from: record.from ?? '',
  to: record.to,
  reason: record.reason ?? '',
  expires_at: record.expires_at ?? '',
});

const orNull = <T extends string>(text: T | ''): T | null => text || null;

const toEvent = (item: EventItem): RegistryEvent => ({
  sequence: item.sequence,
  id: item.id,
  type: item.type,
  at: item.at,
  ecosystem: orNull(item.ecosystem),
  name: orNull(item.name),
  version: orNull(item.version),
  license: orNull(item.license),
  by: orNull(item.by),
  from: orNull(item.from),
  to: item.to,
  reason: orNull(item.reason),
  expires_at: orNull(item.expires_at),
});

/** The events of one partition after a sequence. */
const listPartition = (after: number, count: number): Promise<EventItem[]> =>
  queryItems(
    eventsTable,
    {
      KeyConditionExpression: 'p = :partition AND s > :after',
      ExpressionAttributeValues: {
        ':partition': toPartition(after + 1),
        ':after': formatSequence(after),
      },
    },
    count,
  );

/**
 * The events of a page up to the first gap. There are no gaps; but a query is not isolated from a transaction that
 * commits meanwhile, and may find its later events alone. Whoever goes on from these would never see the others.
 */
const takeUnbroken = (page: readonly EventItem[], after: number): readonly EventItem[] => {
  const gap = page.findIndex(({ sequence }, at) => sequence !== after + 1 + at);
  return gap < 0 ? page : page.slice(0, gap);
};

/** Where to go on behind a gap that is damage: undefined while it can be what a transaction is about to fill. */
const findEndOfGap = async (after: number): Promise<number | undefined> => {
  const [beyond] = await listPartition(after + eventsATransaction, 1);
  if (!beyond) return undefined;
  const endOfPartition = (findPartition(after + 1) + 1) * eventsAPartition;
  const [here] = await listPartition(after, 1);
  const [next = beyond] = here ? [here] : await listPartition(endOfPartition, 1);
  return next.sequence - 1;
};

/** Whether the next transaction may go on in the next partition. */
const isNearNextPartition = (sequence: number): boolean =>
  findPartition(sequence + 1) !== findPartition(sequence + 1 + eventsATransaction);

/** Up to `count` events after a sequence, in their order. A sequence that is there is never followed by one that comes later. */
export const listEvents = async (after: number, count: number): Promise<RegistryEvent[]> => {
  const events: EventItem[] = [];
  let last = after;
  while (events.length < count) {
    const page = await listPartition(last, count - events.length);
    const unbroken = takeUnbroken(page, last);
    events.push(...unbroken);
    last = unbroken.at(-1)?.sequence ?? last;
    // Only a partition that is full is followed by another one.
    if (unbroken.length > 0 && last % eventsAPartition === 0) continue;
    const isAtGap =
      unbroken.length < page.length || (page.length === 0 && isNearNextPartition(last));
    const end = isAtGap ? await findEndOfGap(last) : undefined;
    if (end === undefined) break;
    last = end;
  }
  return events.map(toEvent);
};

/** The last sequence of a partition; undefined where there is none. */
const findLastOf = async (partition: number): Promise<number | undefined> => {
  const range = {
    KeyConditionExpression: 'p = :partition',
    ExpressionAttributeValues: { ':partition': `e#${partition}` },
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
