import { isDeepStrictEqual } from 'node:util';
import { type RecordItem, recordsTable } from '../decisions/records.ts';
import { type EventItem, eventsTable, toEventItem, toEventKey } from '../events/event-item.ts';
import { appendEvents, type NoteItem, notesTable, toNoteKey } from '../events/sequence.ts';
import { batchGet, scanPage } from '../read.ts';
import type { ItemKey } from '../table.ts';
import { deleteItem, isAsSeen, putItem } from '../write.ts';
import { auditSequence } from './audit-sequence.ts';
import type { AuditContext } from './findings.ts';
import { transactUnlessChanged } from './transact-unless-changed.ts';

const recordsAtATime = 100;

/** How old a record is before its event is missed: much longer than the stream takes to bring it. */
const patienceMs = 15 * 60_000;

/** A record, the note of which event it became, and what stands there. */
interface Told {
  readonly record: RecordItem;
  readonly note: NoteItem | undefined;
  readonly event: EventItem | undefined;
}

/** Whether a note names a place of the sequence. */
const namesPlace = (note: NoteItem | undefined): note is NoteItem =>
  Number.isSafeInteger(note?.sequence) && Number(note?.sequence) > 0;

const readTold = async (records: readonly RecordItem[]): Promise<Told[]> => {
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

const isTold = ({ record, note, event }: Told): boolean =>
  namesPlace(note) && isDeepStrictEqual(event, toEventItem(record, note.sequence));

/** Whether an event was lost, or is not as it was: its place is its own still. */
const hasItsPlace = ({ record, note, event }: Told): boolean =>
  namesPlace(note) && (event === undefined || event.id === record.id);

const putBack = ({ record, note, event }: Told, { deadline }: AuditContext): Promise<boolean> => {
  const item = toEventItem(record, Number(note?.sequence));
  return transactUnlessChanged(
    [putItem(eventsTable, item, isAsSeen(event, ['p', 'id']))],
    deadline,
  );
};

/** Appends what became no event; a note that says otherwise goes first. */
const appendAnew = async (told: readonly Told[], { deadline }: AuditContext): Promise<void> => {
  for (const { record, note } of told) {
    if (!note) continue;
    const guard = isAsSeen(note, ['p', 'sequence']);
    await transactUnlessChanged([deleteItem(notesTable, toNoteKey(record), guard)], deadline);
  }
  const records = told.map(({ record }) => record);
  // Those of a package stay in their order.
  records.sort((one, other) => (one.moment < other.moment ? -1 : 1));
  await appendEvents(records, deadline);
};

const mend = async (told: readonly Told[], context: AuditContext): Promise<void> => {
  const displaced = told.filter((one) => !hasItsPlace(one));
  for (const lost of told.filter(hasItsPlace)) {
    if (await putBack(lost, context)) context.tally.repair(1);
  }
  await appendAnew(displaced, context);
  context.tally.repair(displaced.length);
};

const describeRecord = ({ package_key, type, at, version = '' }: RecordItem): string =>
  [type, package_key, version, at].join(' ');

/**
 * Looks at some records for those that became no event, and with the last ones at the sequence.
 * @returns where to go on; undefined after the last record
 */
export const auditRecords = async (
  after: ItemKey | undefined,
  context: AuditContext,
): Promise<ItemKey | undefined> => {
  // Before anything is appended.
  await auditSequence((says, last) => says < last, context);
  const page = await scanPage(recordsTable, after, recordsAtATime);
  const old = page.items.filter(({ at }) => Date.parse(at) < Date.now() - patienceMs);
  const doubtful = (await readTold(old)).filter((told) => !isTold(told));
  // The sequencer may have come to them only now.
  const again = await readTold(doubtful.map(({ record }) => record));
  const missing = again.filter((told) => !isTold(told));
  for (const { record } of missing) context.tally.find('missing_event', describeRecord(record));
  if (context.repair) await mend(missing, context);
  context.tally.check('records', page.items.length);
  if (!page.next) await auditSequence((says, last) => says > last, context);
  return page.next;
};
