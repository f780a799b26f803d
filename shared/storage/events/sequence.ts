import type { Deadline } from '../../util/deadline.ts';
import type { RecordItem } from '../decisions/records.ts';
import { batchGet } from '../dynamodb/read.ts';
import { defineTable } from '../dynamodb/table.ts';
import { transact } from '../dynamodb/transact.ts';
import { ifUnchanged, putItem, type Write } from '../dynamodb/write.ts';
import { countOnDays } from './days.ts';
import { readSequence, type SequenceItem, setSequence, toReviewState } from './event-count.ts';
import { eventsTable, toEventItem } from './event-item.ts';
import { readSettledSequence } from './event-positions.ts';

/**
 * Maximum number of events in one transaction. Each needs up to three items: the event, its note, and its day. The
 * sequence item is one more.
 */
const eventsATransaction = 33;

/** Note of the event of a record. It prevents a second event if the record is delivered again. */
export interface NoteItem {
  readonly p: string;
  readonly s: string;
  readonly sequence: number;
}

export const notesTable = defineTable<NoteItem>('events');

export const toNoteKey = ({ id }: RecordItem) => ({ p: `r#${id}`, s: '#note' });

/** Error of a sequence that another worker advanced at the same time. */
class SequenceMovedError extends Error {
  override readonly name = 'SequenceMovedError';
}

const refuseMoved = (): Error => new SequenceMovedError('Other events came first');

/** Error of a sequence whose next number already has an item. No event can be appended before a repair. */
class SequenceBrokenError extends Error {
  override readonly name = 'SequenceBrokenError';
}

const refuseBroken = (): Error =>
  new SequenceBrokenError(
    'The head of the sequence is not that of the last event: run the integrity check',
  );

/** Record without a valid event. */
export interface NotIndexed {
  readonly record: RecordItem;
  /** Wrong note of an event, which is replaced. */
  readonly note?: NoteItem | undefined;
}

/**
 * Returns the writes that make each record an event, numbered from `first`. Records with a note were already counted on
 * their day.
 */
export const eventWrites = (unpublished: readonly NotIndexed[], first: number): Write[] => [
  ...unpublished.flatMap(({ record, note }, at) => [
    putItem(eventsTable, toEventItem(record, first + at), {
      ConditionExpression: 'attribute_not_exists(p)',
      refuse: refuseBroken,
    }),
    putItem(
      notesTable,
      { ...toNoteKey(record), sequence: first + at },
      { ...ifUnchanged(note, ['p', 'sequence']), refuse: refuseBroken },
    ),
  ]),
  ...countOnDays(unpublished.filter(({ note }) => !note).map(({ record }) => record)),
];

/** Returns the writes that append an event for each record and advance the sequence. */
const appendWrites = (
  unpublished: readonly NotIndexed[],
  seen: SequenceItem | undefined,
): Write[] => {
  const head = toReviewState(seen);
  return [
    setSequence(head + unpublished.length, seen, refuseMoved),
    ...eventWrites(unpublished, head + 1),
  ];
};

/** Returns the records without an event, without duplicates and in the same order. */
const findUnpublished = async (
  records: readonly RecordItem[],
  wrongNotes: readonly NoteItem[],
): Promise<NotIndexed[]> => {
  const byId = new Map(records.map((record) => [record.id, record]));
  const notes = await batchGet(notesTable, [...byId.values()].map(toNoteKey));
  const noteByKey = new Map(notes.map((note) => [note.p, note]));
  const wrongByKey = new Map(wrongNotes.map((note) => [note.p, note]));
  return [...byId.values()].flatMap((record) => {
    const { p } = toNoteKey(record);
    const [note, wrong] = [noteByKey.get(p), wrongByKey.get(p)];
    if (!note) return [{ record }];
    return wrong && wrong.sequence === note.sequence ? [{ record, note }] : [];
  });
};

/** True if another worker's transaction took the next numbers after the sequence was read. */
const isOvertaken = async (error: unknown, seen: SequenceItem | undefined): Promise<boolean> => {
  if (error instanceof SequenceMovedError) return true;
  if (!(error instanceof SequenceBrokenError)) return false;
  // The other transaction's events may fail a condition here before its sequence item does.
  return (await readSettledSequence())?.seq !== seen?.seq;
};

/** Appends one batch of records. Returns the remaining records: all of them after a conflict with another worker. */
const appendSome = async (
  records: readonly RecordItem[],
  {
    wrongNotes,
    deadline,
  }: { readonly wrongNotes: readonly NoteItem[]; readonly deadline: Deadline },
): Promise<RecordItem[]> => {
  // The sequence is read first: while it is unchanged, no new note exists.
  const seen = await readSequence();
  const unpublished = await findUnpublished(records, wrongNotes);
  const left = unpublished.map(({ record }) => record);
  const batch = unpublished.slice(0, eventsATransaction);
  if (batch.length === 0) return [];
  try {
    await transact(appendWrites(batch, seen), deadline);
    return left.slice(eventsATransaction);
  } catch (error) {
    if (await isOvertaken(error, seen)) return left;
    throw error;
  }
};

/**
 * Appends an event for each record to the sequence of all events, without gaps and in the order of the records. Records
 * with an event are skipped; known wrong notes are ignored.
 * @throws {SequenceBrokenError} if the sequence item does not match the last event
 */
export const appendEvents = async (
  records: readonly RecordItem[],
  deadline: Deadline,
  wrongNotes: readonly NoteItem[] = [],
): Promise<void> => {
  let left = [...records];
  // In each round, this or another worker makes progress, so the loop ends.
  while (left.length > 0) left = await appendSome(left, { wrongNotes, deadline });
};
