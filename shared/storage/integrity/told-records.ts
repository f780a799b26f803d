import { isDeepStrictEqual } from 'node:util';
import type { RecordItem } from '../decisions/records.ts';
import { batchGet } from '../dynamodb/read.ts';
import { ifUnchanged, putItem } from '../dynamodb/write.ts';
import { type EventItem, eventsTable, toEventItem, toEventKey } from '../events/event-item.ts';
import { type NoteItem, notesTable, toNoteKey } from '../events/sequence.ts';
import type { CheckContext } from './tally.ts';
import { transactUnlessChanged } from './transact-unless-changed.ts';

/** How old a record is before its event is missed: much longer than the stream takes to bring it. */
const patienceMs = 15 * 60_000;

/** A record, the note of which event it became, and what stands there. */
export interface IndexCheckpoint {
  readonly record: RecordItem;
  readonly note: NoteItem | undefined;
  readonly event: EventItem | undefined;
}

/** Whether a note names a place of the sequence. */
const namesPlace = (note: NoteItem | undefined): note is NoteItem =>
  Number.isSafeInteger(note?.sequence) && Number(note?.sequence) > 0;

const readTold = async (records: readonly RecordItem[]): Promise<IndexCheckpoint[]> => {
  const notes = await batchGet(notesTable, records.map(toNoteKey));
  const places = notes.filter(namesPlace).map(({ sequence }) => toEventKey(sequence));
  const events = await batchGet(eventsTable, places);
  const noteByKey = new Map(notes.map((note) => [note.p, note]));
  const eventByKey = new Map(events.map((event) => [event.s, event]));
  return records.map((record) => {
    const note = noteByKey.get(toNoteKey(record).p);
    const event = namesPlace(note) ? eventByKey.get(toEventKey(note.sequence).s) : undefined;
    return { record, note, event };
  });
};

const isIndexed = ({ record, note, event }: IndexCheckpoint): boolean =>
  namesPlace(note) && isDeepStrictEqual(event, toEventItem(record, note.sequence));

/** Those of some records that should be told of by now, and are not. */
export const findMissing = async (records: readonly RecordItem[]): Promise<IndexCheckpoint[]> => {
  const old = records.filter(({ at }) => Date.parse(at) < Date.now() - patienceMs);
  const doubtful = (await readTold(old)).filter((told) => !isIndexed(told));
  // The sequencer may have come to them only now.
  const again = await readTold(doubtful.map(({ record }) => record));
  return again.filter((told) => !isIndexed(told));
};

/** Whether an event was lost, or is not as it was: its place is its own still. */
export const hasItsSequenceNumber = ({ record, note, event }: IndexCheckpoint): boolean =>
  namesPlace(note) && (event === undefined || event.id === record.id);

/** Puts an event that was lost, or is not as it was, into its place. */
export const putBack = async (
  { record, note, event }: IndexCheckpoint,
  { deadline, tally }: CheckContext,
): Promise<void> => {
  const item = toEventItem(record, Number(note?.sequence));
  const write = putItem(eventsTable, item, ifUnchanged(event, ['p', 'id']));
  if (await transactUnlessChanged([write], deadline)) tally.repair(1);
};
