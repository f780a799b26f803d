import type { Deadline } from '../../deadline.ts';
import type { RecordItem } from '../decisions/records.ts';
import { batchGet, getItem } from '../read.ts';
import { defineTable } from '../table.ts';
import { transact } from '../transact.ts';
import { isAsSeen, putItem, setFields, updateItem, type Write } from '../write.ts';
import { countOnDays } from './days.ts';
import { eventsATransaction, eventsTable, toEventItem } from './events.ts';

/** The one item that says how many events there are. */
interface SequenceItem {
  readonly p: string;
  readonly seq: number;
}

const sequenceTable = defineTable<SequenceItem>('events');

const sequenceKey = { p: '#head', s: '#head' };

/** Undefined before the first event. */
export const readSequence = (): Promise<SequenceItem | undefined> =>
  getItem(sequenceTable, sequenceKey);

/** Sets how many events there are, unless that changed since it was seen. */
export const setSequence = (
  seq: number,
  seen: SequenceItem | undefined,
  refuse?: () => Error,
): Write =>
  updateItem(sequenceTable, sequenceKey, {
    change: setFields({ seq }),
    guard: { ...isAsSeen(seen, ['p', 'seq']), ...(refuse && { refuse }) },
  });

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

/** The sequence says that a place is free, and something stands there: nobody can append before that is mended. */
class SequenceBrokenError extends Error {
  override readonly name = 'SequenceBrokenError';
}

const refuseBroken = (): Error =>
  new SequenceBrokenError('The head of the sequence is not that of the last event: run the audit');

const isNew: { ConditionExpression: string; refuse: () => Error } = {
  ConditionExpression: 'attribute_not_exists(p)',
  refuse: refuseBroken,
};

/** Moves the sequence on by one for each record, which becomes the event of that number. */
const appendWrites = (records: readonly RecordItem[], seen: SequenceItem | undefined): Write[] => {
  const first = (seen?.seq ?? 0) + 1;
  return [
    setSequence(first + records.length - 1, seen, refuseMoved),
    ...records.flatMap((record, at) => [
      putItem(eventsTable, toEventItem(record, first + at), isNew),
      putItem(notesTable, { ...toNoteKey(record), sequence: first + at }, isNew),
    ]),
    ...countOnDays(records),
  ];
};

/** Those that have no event yet, each once, in the same order. */
const findNew = async (records: readonly RecordItem[]): Promise<RecordItem[]> => {
  const byId = new Map(records.map((record) => [record.id, record]));
  const notes = await batchGet(notesTable, [...byId.values()].map(toNoteKey));
  const known = new Set(notes.map(({ p }) => p));
  return [...byId.values()].filter((record) => !known.has(toNoteKey(record).p));
};

/** Appends the first of them; resolves to those that are left, all where another worker came first. */
const appendSome = async (
  records: readonly RecordItem[],
  deadline: Deadline,
): Promise<RecordItem[]> => {
  // In this order: while the sequence stays as it was seen, no note comes either.
  const seen = await readSequence();
  const fresh = await findNew(records);
  const batch = fresh.slice(0, eventsATransaction);
  if (batch.length === 0) return [];
  try {
    await transact(appendWrites(batch, seen), deadline);
    return fresh.slice(eventsATransaction);
  } catch (error) {
    if (error instanceof SequenceMovedError) return fresh;
    throw error;
  }
};

/**
 * Appends an event for each record to the one sequence of all events, without a gap and in the order of the records; one
 * that has its event already is left out.
 */
export const appendEvents = async (
  records: readonly RecordItem[],
  deadline: Deadline,
): Promise<void> => {
  let left = [...records];
  // Each time this or another worker has come further, so this ends.
  while (left.length > 0) left = await appendSome(left, deadline);
};
