import type { RegistryEvent } from '../../api/schemas/event.ts';
import type { RecordItem } from '../decisions/records.ts';
import { defineTable } from '../dynamodb/table.ts';

/** Number of events in one partition. */
export const eventsPerPartition = 1000;

/** Width of sequences as sortable text, in decimal digits. */
const sequenceWidth = 12;

/** Fields of an event that may be null. */
type Nullable = {
  [F in keyof RegistryEvent]: null extends RegistryEvent[F] ? F : never;
}[keyof RegistryEvent];

/**
 * Stored event. All fields except the sequence are text, and empty if unknown, because event delivery fills a text
 * template with them.
 */
export type EventItem = {
  readonly p: string;
  readonly s: string;
  readonly sequence: number;
} & { readonly [F in Exclude<keyof RegistryEvent, 'sequence' | Nullable>]: RegistryEvent[F] } & {
  readonly [F in Nullable]: NonNullable<RegistryEvent[F]> | '';
};

export const eventsTable = defineTable<EventItem>('events');

/** Returns the partition number of a sequence, from 0. */
export const findPartition = (sequence: number): number =>
  Math.floor((sequence - 1) / eventsPerPartition);

export const formatPartition = (partition: number): string => `e#${partition}`;

export const formatSequence = (sequence: number): string =>
  String(sequence).padStart(sequenceWidth, '0');

export const toEventKey = (sequence: number) => ({
  p: formatPartition(findPartition(sequence)),
  s: formatSequence(sequence),
});

/** Returns the stored event of a record. */
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
  projects: record.projects === undefined ? '' : String(record.projects),
  before: record.before ?? '',
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
  // Events of earlier releases lack these.
  projects: orNull(item.projects ?? ''),
  before: orNull(item.before ?? ''),
});
