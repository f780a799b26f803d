import type { Deadline } from '../../deadline.ts';
import type { RecordItem } from '../decisions/records.ts';
import { batchGet, getItem } from '../read.ts';
import { defineTable } from '../table.ts';
import { transact } from '../transact.ts';
import { isAsSeen, putItem, setFields, updateItem, type Write } from '../write.ts';
import { countOnDays } from './days.ts';
import { eventsTable, toEventItem } from './events.ts';

/** The one item that says how many events there are. */
interface SequenceItem {
  readonly p: string;
  readonly seq: number;
}

const sequenceTable = defineTable<SequenceItem>('events');

const sequenceKey = { p: '#head', s: '#head' };

/** A note of which event a record became: no record becomes two, however often it is delivered. */
interface NoteItem {
  readonly p: string;
  readonly s: string;
  readonly sequence: number;
}

const notesTable = defineTable<NoteItem>('events');

const toNoteKey = ({ id }: RecordItem) => ({ p: `r#${id}`, s: '#note' });

/** Another worker appended events at the same moment. */
class SequenceMovedError extends Error {
  override readonly name = 'SequenceMovedError';
}

const refuseMoved = (): Error => new SequenceMovedError('Other events came first');

/**
 * As many as one transaction takes: besides the head of the sequence, three items for each record in the worst case, its
 * event, its note, and a day of its own.
 */
const recordsAtATime = 33;

const isNew: { ConditionExpression: string; refuse: () => Error } = {
  ConditionExpression: 'attribute_not_exists(p)',
  refuse: refuseMoved,
};

/** Moves the sequence on by one for each record, which becomes the event of that number. */
const appendWrites = (records: readonly RecordItem[], seen: SequenceItem | undefined): Write[] => {
  const first = (seen?.seq ?? 0) + 1;
  return [
    updateItem(sequenceTable, sequenceKey, {
      change: setFields({ seq: first + records.length - 1 }),
      guard: { ...isAsSeen(seen, ['p', 'seq']), refuse: refuseMoved },
    }),
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
  const [fresh, seen] = await Promise.all([findNew(records), getItem(sequenceTable, sequenceKey)]);
  const batch = fresh.slice(0, recordsAtATime);
  if (batch.length === 0) return [];
  try {
    await transact(appendWrites(batch, seen), deadline);
    return fresh.slice(recordsAtATime);
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
