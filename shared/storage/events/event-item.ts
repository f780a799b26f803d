import type { RegistryEvent } from '../../api/schemas/event.ts';
import type { RecordItem } from '../decisions/records.ts';
import { defineTable } from '../dynamodb/table.ts';

/** How many events stand together in one partition. */
export const eventsPerPartition = 1000;

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

/** Which partition a sequence is in, from 0. */
export const findPartition = (sequence: number): number =>
  Math.floor((sequence - 1) / eventsPerPartition);

export const formatPartition = (partition: number): string => `e#${partition}`;

export const formatSequence = (sequence: number): string =>
  String(sequence).padStart(sequenceWidth, '0');

export const toEventKey = (sequence: number) => ({
  p: formatPartition(findPartition(sequence)),
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
  vulnerability: record.vulnerability ?? '',
  acceptance: record.acceptance === undefined ? '' : String(record.acceptance),
  by: record.by ?? '',
  token_label: record.token_label ?? '',
  from: record.from ?? '',
  to: record.to,
  reason: record.reason ?? '',
  expires_at: record.expires_at ?? '',
});

const orNull = <T extends string>(text: T | ''): T | null => text || null;

export const toEvent = (item: EventItem): RegistryEvent => ({
  sequence: item.sequence,
  id: item.id,
  type: item.type,
  at: item.at,
  ecosystem: orNull(item.ecosystem),
  name: orNull(item.name),
  version: orNull(item.version),
  license: orNull(item.license),
  vulnerability: orNull(item.vulnerability),
  acceptance: orNull(item.acceptance),
  by: orNull(item.by),
  token_label: orNull(item.token_label),
  from: orNull(item.from),
  to: item.to,
  reason: orNull(item.reason),
  expires_at: orNull(item.expires_at),
});
