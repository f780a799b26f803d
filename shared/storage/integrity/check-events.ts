import { isDeepStrictEqual } from 'node:util';
import type { Deadline } from '../../util/deadline.ts';
import { type RecordItem, recordsTable } from '../decisions/records.ts';
import { readEventually } from '../dynamodb/eventual-reads.ts';
import { batchGet, queryPages } from '../dynamodb/read.ts';
import { ifUnchanged, putItem } from '../dynamodb/write.ts';
import { readSequence, setSequence, toReviewState } from '../events/event-count.ts';
import {
  type EventItem,
  eventsPerPartition,
  eventsTable,
  findPartition,
  toEventItem,
  toEventKey,
} from '../events/event-item.ts';
import {
  findLastSequence,
  findLost,
  listNumbers,
  listPartition,
} from '../events/event-positions.ts';
import {
  appendEvents,
  eventWrites,
  type NoteItem,
  notesTable,
  toNoteKey,
} from '../events/sequence.ts';
import {
  type Check,
  type CheckContext,
  type Checks,
  ConflictError,
  definePhase,
  type Finding,
  makeProblem,
  type Problem,
  scanInPages,
  scanSegments,
  transactIfUnchanged,
} from './check.ts';
import { checkRestored } from './check-restored.ts';

/** Check of decision records against their events, and of the sequence of all events. */

const recordsAPage = 100;

/**
 * Age in milliseconds after which the event of a record must exist: much longer than the stream needs to deliver it.
 */
const publishingMs = 15 * 60_000;

/** A record whose event is missing or wrong. */
interface Unpublished {
  readonly record: RecordItem;
  /** Item with the number of the event. */
  readonly note: NoteItem | undefined;
  /** The stored item at that number. */
  readonly event: EventItem | undefined;
}

const hasNumber = (note: NoteItem | undefined): note is NoteItem =>
  Number.isSafeInteger(note?.sequence) && Number(note?.sequence) > 0;

const isPublished = ({ record, note, event }: Unpublished): boolean =>
  hasNumber(note) && isDeepStrictEqual(event, toEventItem(record, note.sequence));

/** Returns those records older than 15 minutes that have no event, or a wrong one. */
const findUnpublished = async (records: readonly RecordItem[]): Promise<Unpublished[]> => {
  const now = new Date();
  const old = records.filter(({ at }) => Date.parse(at) < now.getTime() - publishingMs);
  const notes = await batchGet(notesTable, old.map(toNoteKey));
  const numbers = notes.filter(hasNumber).map(({ sequence }) => toEventKey(sequence));
  const events = await batchGet(eventsTable, numbers);
  const noteByKey = new Map(notes.map((note) => [note.p, note]));
  const eventByKey = new Map(events.map((event) => [event.s, event]));
  return old
    .map((record) => {
      const note = noteByKey.get(toNoteKey(record).p);
      const event = hasNumber(note) ? eventByKey.get(toEventKey(note.sequence).s) : undefined;
      return { record, note, event };
    })
    .filter((one) => !isPublished(one));
};

/** Returns true if no other record has the event number of this one. */
const ownsNumber = ({ record, note, event }: Unpublished): boolean =>
  hasNumber(note) && (event === undefined || event.id === record.id);

const toFinding = ({ record }: Unpublished): Finding => {
  const { package_key, type, at, version = '' } = record;
  return { kind: 'missing_event', example: [type, package_key, version, at].join(' ') };
};

/** The finding of a record that the phase `records` has counted. */
const toKnownFinding = (one: Unpublished): Finding => ({ ...toFinding(one), counted: 'before' });

/** Puts the event of a record at its own number. */
const restoreEvent = ({ record, note, event }: Unpublished, deadline: Deadline): Promise<void> => {
  const item = toEventItem(record, Number(note?.sequence));
  return transactIfUnchanged(
    [putItem(eventsTable, item, ifUnchanged(event, ['p', 'id']))],
    deadline,
  );
};

const describeRecords = ([first]: readonly Unpublished[]): string =>
  `records from ${first?.record.id} on`;

/** Returns the check of records, with one read for all. Its repair restores events whose number no other record has. */
const checkRecords = (suspects: readonly Unpublished[], { deadline }: CheckContext): Check => ({
  subject: describeRecords(suspects),
  examine: async () => {
    const unpublished = await findUnpublished(suspects.map(({ record }) => record));
    return unpublished.map((one) =>
      makeProblem(toFinding(one), ownsNumber(one) ? () => restoreEvent(one, deadline) : undefined),
    );
  },
});

/** Returns the check of the sequence head, which must be the number of the last event. */
const checkSequence = (
  isWrong: (head: number, last: number) => boolean,
  { deadline }: CheckContext,
): Check => ({
  subject: 'the head of the event sequence',
  attemptOptions: { attempts: 5, delayMs: () => 100, jitter: 1 },
  examine: async () => {
    const seen = await readSequence();
    const head = toReviewState(seen);
    const last = await findLastSequence(head);
    if ((await readSequence())?.seq !== seen?.seq) throw new ConflictError();
    if (!isWrong(head, last)) return [];
    const example = `the head is ${head}, the last event is ${last}`;
    return [
      makeProblem({ kind: 'wrong_sequence', example, counted: 'once' }, () =>
        transactIfUnchanged([setSequence(last, seen)], deadline),
      ),
    ];
  },
});

/** Checks that each record has its event, that the sequence head matches the events, and that versions have the status of their last record. */
export const recordsPhase = definePhase<RecordItem>({
  segments: scanSegments,
  readPage: scanInPages(recordsTable, recordsAPage),
  async *checkPage({ items, after }, context): Checks<number> {
    // While its head is behind the last event, the sequence accepts no event.
    if (!after) yield checkSequence((head, last) => head < last, context);
    const unpublished = await readEventually(() => findUnpublished(items));
    const displaced = unpublished.filter((one) => !ownsNumber(one));
    for (const suspects of [unpublished.filter(ownsNumber), displaced]) {
      if (suspects.length > 0) yield checkRecords(suspects, context);
    }
    yield* checkRestored(items, context);
    return items.length;
  },
  async *finish(context): Checks<number> {
    // With its head ahead, readers wait for events that never come. All events have their numbers now, and none is
    // appended yet.
    yield checkSequence((head, last) => head > last, context);
    return 0;
  },
});

/**
 * Returns problems whose repairs give each record an event, in order: at missing numbers first, then after the last
 * event.
 */
const planEvents = async (
  displaced: readonly Unpublished[],
  { missingEventNumbers, deadline }: CheckContext,
): Promise<Problem[]> => {
  const problems: Problem[] = [];
  const rest: Unpublished[] = [];
  for (const one of displaced) {
    const { value: number } = await missingEventNumbers.next();
    if (number === undefined) rest.push(one);
    else {
      const repair = () => transactIfUnchanged(eventWrites([one], number), deadline);
      problems.push(makeProblem(toKnownFinding(one), repair));
    }
  }
  if (rest.length === 0) return problems;
  const append = async (): Promise<void> => {
    const notes = rest.flatMap(({ note }) => note ?? []);
    await appendEvents(
      rest.map(({ record }) => record),
      deadline,
      notes,
    );
  };
  return [...problems, { findings: rest.map(toKnownFinding), repair: append }];
};

/**
 * Returns the check of the records of one package or license, in order of time. Its repair gives displaced records
 * new numbers.
 */
const checkDisplaced = (suspects: readonly Unpublished[], context: CheckContext): Check => ({
  subject: describeRecords(suspects),
  examine: async () => {
    const unpublished = await findUnpublished(suspects.map(({ record }) => record));
    return [
      ...unpublished
        .filter(ownsNumber)
        .map((one) => makeProblem(toKnownFinding(one), () => restoreEvent(one, context.deadline))),
      ...(await planEvents(
        unpublished.filter((one) => !ownsNumber(one)),
        context,
      )),
    ];
  },
});

const queryByTime = (packageKey: string): AsyncGenerator<RecordItem[]> => {
  const range = {
    IndexName: 'by-time',
    KeyConditionExpression: 'package_key = :package',
    ExpressionAttributeValues: { ':package': packageKey },
  };
  return queryPages(recordsTable, range, { limit: recordsAPage });
};

/**
 * Publishes displaced records, which have no event number of their own. A table scan reads records by version, so each
 * package is read again in order of time.
 */
export const displacedPhase = definePhase<RecordItem>({
  isNeeded: ({ repair }) => repair,
  readPage: scanInPages(recordsTable, recordsAPage),
  async *checkPage({ items }, context): Checks<number> {
    const unpublished = await findUnpublished(items);
    let displaced = 0;
    for (const packageKey of new Set(unpublished.map(({ record }) => record.package_key))) {
      for await (const records of queryByTime(packageKey)) {
        const suspects = await findUnpublished(records);
        if (suspects.length > 0) yield checkDisplaced(suspects, context);
        displaced += suspects.filter((one) => !ownsNumber(one)).length;
      }
    }
    return displaced;
  },
});

/** Reads one partition of the event sequence, up to the last event. Returns its event count and its missing numbers. */
const readPartition = async (partition: number) => {
  const last = await findLastSequence(toReviewState(await readSequence()));
  const before = partition * eventsPerPartition;
  const events = await listPartition(before, eventsPerPartition);
  const present = new Set(events.map(({ s }) => Number(s)));
  const numbers = listNumbers(before, Math.min(before + eventsPerPartition, last));
  const missing = await findLost(numbers.filter((number) => !present.has(number)));
  return { count: events.length, missing, isLast: partition >= findPartition(last) };
};

/** Yields each number up to the last event that has no event, in ascending order. */
export async function* listMissingNumbers(): AsyncGenerator<number, undefined> {
  for (let partition = 0; ; partition += 1) {
    const { missing, isLast } = await readPartition(partition);
    yield* missing;
    if (isLast) return undefined;
  }
}

/** Reports the event numbers that have no event. After a repair, no record is left for them. */
export const eventsPhase = definePhase({
  readPage: async ({ block = 0 }) => {
    const partition = await readPartition(block);
    return { items: [partition], next: partition.isLast ? undefined : { block: block + 1 } };
  },
  async *checkPage({ items }): Checks<number> {
    for (const { missing } of items) {
      const toProblem = (number: number): Problem =>
        makeProblem({ kind: 'missing_event_number', example: `no event is ${number}` });
      if (missing.length > 0) {
        yield { subject: 'event numbers', examine: async () => missing.map(toProblem) };
      }
    }
    return items.reduce((sum, { count }) => sum + count, 0);
  },
});
