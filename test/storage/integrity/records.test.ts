import { describe, expect, it } from 'vitest';
import type { IntegrityReport } from '../../../shared/api/schemas/integrity.ts';
import type { RecordItem } from '../../../shared/storage/decisions/records.ts';
import { listDays } from '../../../shared/storage/events/days.ts';
import { toEventKey } from '../../../shared/storage/events/event-item.ts';
import { listEvents } from '../../../shared/storage/events/events.ts';
import { appendEvents, toNoteKey } from '../../../shared/storage/events/sequence.ts';
import { submitPackage } from '../../../shared/use-cases/review/submit-package.ts';
import { writeContext } from '../../capacity/write-context.ts';
import { beginEachWith } from '../../support/begin-each-with.ts';
import { inventRecords } from '../events/write-records.ts';
import {
  fillRegistry,
  nothing,
  pending,
  put,
  readAll,
  remove,
  runCheck,
} from './reviewed-registry.ts';

const hourMs = 60 * 60_000;

/** Those of the events of the registry. */
const allNumbers = Array.from({ length: 12 }, (_, at) => at + 1);

const enoughTime = { remainingMs: () => 10_000 };

beginEachWith(fillRegistry);

const setHead = (seq: unknown) => put('events', { p: '#head', s: '#head', seq });

/** The record that the event of this sequence stands for. */
const findRecord = async (sequence: number): Promise<RecordItem> => {
  const [event] = await listEvents(sequence - 1, 1);
  const records = (await readAll('decisions')) as unknown as RecordItem[];
  const record = records.find(({ id }) => id === event?.id);
  if (!record) throw new Error(`The event ${sequence} is of no record`);
  return record;
};

const changeEvent = async (sequence: number, changes: object): Promise<void> => {
  const [event] = await listEvents(sequence - 1, 1);
  const texts = Object.entries({ ...event, ...changes }).map(([key, value]) => [key, value ?? '']);
  await put('events', { ...toEventKey(sequence), ...Object.fromEntries(texts) });
};

const changeNote = async (sequence: number, to: unknown): Promise<void> => {
  await put('events', { ...toNoteKey(await findRecord(sequence)), sequence: to });
};

/** Puts a record of an hour ago, which no stream brings to the sequencer. */
const makeOldRecord = async (version: string, at: number): Promise<RecordItem> => {
  const time = new Date(Date.now() - hourMs + at).toISOString();
  const [invented] = inventRecords(1);
  if (!invented) throw new Error('There is no record');
  const record = {
    ...{ ...invented, version, id: `old-${at}`, at: time, moment: `${time} ${at}` },
    decision_key: `${version} ${time} ${at}`,
  };
  await put('decisions', record);
  return record;
};

describe('the integrity check of records and events', () => {
  const damages: [string, IntegrityReport['found'], () => Promise<unknown>][] = [
    [
      'a lost event',
      { missing_event: 1, missing_event_number: 1 },
      () => remove('events', toEventKey(4)),
    ],
    [
      'lost events',
      { missing_event: 2, missing_event_number: 2 },
      () => Promise.all([1, 5].map((sequence) => remove('events', toEventKey(sequence)))),
    ],
    ['an event of something else', { missing_event: 1 }, () => changeEvent(3, { to: 'nowhere' })],
    [
      'a sequence that is lost',
      { wrong_sequence: 1 },
      () => remove('events', { p: '#head', s: '#head' }),
    ],
    ['a sequence that is behind', { wrong_sequence: 1 }, () => setHead(7)],
    ['a sequence that is ahead', { wrong_sequence: 1 }, () => setHead(2e9)],
    ['a sequence that is no number', { wrong_sequence: 1 }, () => setHead('many')],
  ];

  it.each(damages)('finds %s, and repairs it only on request', async (_, found, damage) => {
    const before = await readAll('events');
    await damage();
    const damaged = await readAll('events');

    const reported = await runCheck(false);
    const untouched = await readAll('events');
    const repaired = await runCheck(true);

    expect(reported.found).toEqual({ ...nothing, ...found });
    expect(untouched).toEqual(damaged);
    const repairable = { ...found, missing_event_number: 0 };
    expect(repaired.found).toEqual({ ...nothing, ...repairable });
    expect(repaired.repaired).toBe(Object.values(repairable).reduce((sum, count) => sum + count));
    expect(await runCheck(false)).toMatchObject({ done: true, found: nothing, unjudged: 0 });
    expect(new Set(await readAll('events'))).toEqual(new Set(before));
    expect((await listEvents(0, 100)).map(({ sequence }) => sequence)).toEqual(allNumbers);
  });

  const displacements: [string, number, () => Promise<unknown>][] = [
    [
      'a record that was never told of',
      1,
      async () => {
        const record = await findRecord(4);
        await remove('events', toEventKey(4));
        await remove('events', toNoteKey(record));
      },
    ],
    [
      'a record whose note names the place of another',
      1,
      async () => {
        await changeNote(4, 5);
        await remove('events', toEventKey(4));
      },
    ],
    [
      'a record whose note names no place',
      1,
      async () => {
        await changeNote(4, 'somewhere');
        await remove('events', toEventKey(4));
      },
    ],
    [
      'records while the sequence is behind',
      2,
      async () => {
        for (const sequence of [3, 6]) {
          const record = await findRecord(sequence);
          await remove('events', toEventKey(sequence));
          await remove('events', toNoteKey(record));
        }
        await setHead(2);
      },
    ],
  ];

  it.each(displacements)('has %s told of at a free number', async (_, count, displace) => {
    const records = (await readAll('decisions')) as unknown as RecordItem[];
    await displace();

    const reported = await runCheck(false);
    const repaired = await runCheck(true);

    expect(reported.found['missing_event']).toBe(count);
    expect(repaired).toMatchObject({ checked: { displaced: count } });
    expect(await runCheck(false)).toMatchObject({ done: true, found: nothing, unjudged: 0 });
    const events = await listEvents(0, 100);
    expect(events.map(({ id }) => id).sort()).toEqual(records.map(({ id }) => id).sort());
    expect(events.map(({ sequence }) => sequence)).toEqual(allNumbers);
  });

  it('puts each lost event back before it gives its number to a displaced record', async () => {
    const before = await listEvents(0, 100);
    await Promise.all(allNumbers.slice(0, -1).map((at) => remove('events', toEventKey(at))));
    for (const record of inventRecords(7)) await put('decisions', record);

    await runCheck(true);

    const events = await listEvents(0, 100);
    expect(events.slice(0, before.length)).toEqual(before);
    expect(events).toHaveLength(before.length + 7);
  });

  it('counts what it tells of anew only if it was never told of', async () => {
    const today = new Date();
    const before = await listDays(today, 2);
    await changeNote(4, 5);
    await remove('events', toEventKey(4));

    await runCheck(true);

    expect(await listDays(today, 2)).toEqual(before);
  });

  it('counts what it appends anew only if it was never told of', async () => {
    const record = await makeOldRecord('late', 1);
    const note = { ...toNoteKey(record), sequence: 5 };
    await put('events', note);
    const before = await listDays(new Date(), 2);

    await runCheck(true);

    expect((await listEvents(12, 10)).map(({ id }) => id)).toEqual([record.id]);
    expect(await listDays(new Date(), 2)).toEqual(before);
  });

  it('tells of a package with many records in their order', async () => {
    const records = [];
    // A scan finds the versions of a package one after the other.
    for (let at = 0; at < 150; at += 1) records.push(await makeOldRecord(`1.${(at * 7) % 10}`, at));

    await runCheck(true);

    const events = await listEvents(12, 1000);
    expect(events.map(({ id }) => id)).toEqual(records.map(({ id }) => id));
  });

  it('says which numbers have no event where no record is left for them', async () => {
    const record = await findRecord(4);
    await remove('events', toEventKey(4));
    await remove('events', toNoteKey(record));
    await remove('decisions', {
      package_key: record.package_key,
      decision_key: record.decision_key,
    });

    expect((await runCheck(true)).found).toEqual({ ...nothing, missing_event_number: 1 });
    expect((await listEvents(0, 100)).map(({ sequence }) => sequence)).toEqual(
      allNumbers.filter((number) => number !== 4),
    );
  });

  it('waits for events of what has just happened', async () => {
    await submitPackage({ ...pending, name: 'just-now' }, writeContext());

    expect((await runCheck(true)).found).toEqual(nothing);
  });

  it('has all events told anew where their table is empty, those of a version in their order', async () => {
    for (const { p, s } of await readAll('events')) {
      await remove('events', { p: String(p), s: String(s) });
    }

    const repaired = await runCheck(true);

    const records = (await readAll('decisions')) as unknown as RecordItem[];
    expect(repaired.found['missing_event']).toBe(records.length);
    const events = await listEvents(0, 1000);
    expect(events.map(({ sequence }) => sequence)).toEqual(records.map((_, at) => at + 1));
    for (const [name, ofName] of Map.groupBy(events, (event) => event.name)) {
      const times = ofName.map(({ at }) => at);
      expect(times, name ?? '').toEqual([...times].sort());
    }
    expect(await runCheck(false)).toMatchObject({ found: nothing });
  });

  it('lets events be appended again that a sequence behind them had kept away', async () => {
    await setHead(3);
    const [record] = inventRecords(1);
    if (!record) throw new Error('There is no record');
    await expect(appendEvents([record], enoughTime)).rejects.toThrow('run the integrity check');

    await runCheck(true);
    await appendEvents([record], enoughTime);

    expect((await listEvents(12, 10)).map(({ id }) => id)).toEqual([record.id]);
  });
});
