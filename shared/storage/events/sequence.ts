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
 * As many as one transaction appends: besides the head of the sequence, three items for each in the worst case, the event,
 * its note, and a day of its own.
 */
const eventsATransaction = 33;

/** A note of which event a record became: no record becomes two, however often it is delivered. */
export interface NoteItem {
  readonly p: string;
  readonly s: string;
  readonly sequence: number;
}

export const notesTable = defineTable<NoteItem>('events');

export const toNoteKey = ({ id }: RecordItem) => ({ p: `r#${id}`, s: '#note' });

/** Another worker appended events at the same moment. */
class SequenceMovedError extends Error {
  override readonly name = 'SequenceMovedError';
}

const refuseMoved = (): Error => new SequenceMovedError('Other events came first');

/** The sequence says that a place is free, and something stands there: nobody can append before that is repaired. */
class SequenceBrokenError extends Error {
  override readonly name = 'SequenceBrokenError';
}

const refuseBroken = (): Error =>
  new SequenceBrokenError(
    'The head of the sequence is not that of the last event: run the integrity check',
  );

/** A record to be told of. */
export interface NotIndexed {
  readonly record: RecordItem;
  /** What says wrongly that it has been: it is replaced. */
  readonly note?: NoteItem | undefined;
}

/** Makes each record the event of a number, from one on. What has a note was counted when that was written. */
export const tellWrites = (untold: readonly NotIndexed[], first: number): Write[] => [
  ...untold.flatMap(({ record, note }, at) => [
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
  ...countOnDays(untold.filter(({ note }) => !note).map(({ record }) => record)),
];

/** Moves the sequence on by one for each record, which becomes the event of that number. */
const appendWrites = (untold: readonly NotIndexed[], seen: SequenceItem | undefined): Write[] => {
  const head = toReviewState(seen);
  return [setSequence(head + untold.length, seen, refuseMoved), ...tellWrites(untold, head + 1)];
};

/** Those that have no event yet, each once, in the same order. */
const findUntold = async (
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

/** Whether a transaction of another worker took the numbers that were free when the sequence was seen. */
const isOvertaken = async (error: unknown, seen: SequenceItem | undefined): Promise<boolean> => {
  if (error instanceof SequenceMovedError) return true;
  if (!(error instanceof SequenceBrokenError)) return false;
  // Its events fail a condition already while its head, still in conflict, fails none.
  return (await readSettledSequence())?.seq !== seen?.seq;
};

/** Appends the first of them; resolves to those that are left, all where another worker came first. */
const appendSome = async (
  records: readonly RecordItem[],
  {
    wrongNotes,
    deadline,
  }: { readonly wrongNotes: readonly NoteItem[]; readonly deadline: Deadline },
): Promise<RecordItem[]> => {
  // In this order: while the sequence stays as it was seen, no note comes either.
  const seen = await readSequence();
  const untold = await findUntold(records, wrongNotes);
  const left = untold.map(({ record }) => record);
  const batch = untold.slice(0, eventsATransaction);
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
 * Appends an event for each record to the one sequence of all events, without a gap and in the order of the records; one
 * that has its event already is left out. Notes that are known to be wrong do not count.
 * @throws {SequenceBrokenError} where the head of the sequence is not that of the last event
 */
export const appendEvents = async (
  records: readonly RecordItem[],
  deadline: Deadline,
  wrongNotes: readonly NoteItem[] = [],
): Promise<void> => {
  let left = [...records];
  // Each time this or another worker has come further, so this ends.
  while (left.length > 0) left = await appendSome(left, { wrongNotes, deadline });
};
