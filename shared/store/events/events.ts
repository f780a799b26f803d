import type { RegistryEvent } from '../../schemas/event.ts';
import type { RecordItem } from '../decisions/records.ts';
import { queryItems } from '../read.ts';
import { defineTable } from '../table.ts';

/** How many events stand together in one partition. */
const eventsAPartition = 1000;

/** Sequences sort as text: enough for ever. */
const sequenceWidth = 12;

/**
 * An event as it is stored: all its fields but the sequence are text, empty where there is nothing to say, as what
 * delivers it elsewhere fills a template with them.
 */
export type EventItem = {
  readonly p: string;
  readonly s: string;
  readonly sequence: number;
} & { readonly [F in Exclude<keyof RegistryEvent, 'sequence'>]: string };

export const eventsTable = defineTable<EventItem>('events');

const toPartition = (sequence: number): string =>
  `e#${Math.floor((sequence - 1) / eventsAPartition)}`;

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

const toEvent = (item: EventItem): RegistryEvent => {
  const { p: _, s: __, sequence, id, type, at, to, ...texts } = item;
  const known = Object.entries(texts).map(([field, text]) => [field, text === '' ? null : text]);
  return { sequence, id, type, at, to, ...Object.fromEntries(known) } as RegistryEvent;
};

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

/** Up to `count` events after a sequence, in their order. A sequence that is there is never followed by one that comes later. */
export const listEvents = async (after: number, count: number): Promise<RegistryEvent[]> => {
  const events: EventItem[] = [];
  let last = after;
  while (events.length < count) {
    const page = takeUnbroken(await listPartition(last, count - events.length), last);
    events.push(...page);
    last = page.at(-1)?.sequence ?? last;
    // Only a partition that is full is followed by another one.
    if (page.length === 0 || last % eventsAPartition !== 0) break;
  }
  return events.map(toEvent);
};
