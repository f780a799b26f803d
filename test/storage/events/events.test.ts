import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { BatchWriteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { RegistryEvent } from '../../../shared/api/schemas/event.ts';
import { readTableName } from '../../../shared/api/settings/env.ts';
import { findWaitBucket, waitBuckets } from '../../../shared/domain/review/waiting-time.ts';
import type { RecordItem } from '../../../shared/storage/decisions/records.ts';
import { dynamodb } from '../../../shared/storage/dynamodb/dynamodb.ts';
import { listDays } from '../../../shared/storage/events/days.ts';
import { sequenceKey } from '../../../shared/storage/events/event-count.ts';
import { eventsPerPartition, toEventKey } from '../../../shared/storage/events/event-item.ts';
import { listEvents } from '../../../shared/storage/events/events.ts';
import { appendEvents } from '../../../shared/storage/events/sequence.ts';
import { type Snapshot, startEngine, type TestEngine, takeSnapshot } from '../../support/engine.ts';
import { type FaultShares, withFaults } from '../../support/faults.ts';
import { createRandom, type Random } from '../../support/random.ts';
import { findFlaws } from './find-flaws.ts';
import { createLambda } from './lambda.ts';
import { type Committed, openRecordSource } from './record-source.ts';
import { inventRecords, writeRecord } from './write-records.ts';

const writers = 4;
/** Most are refused or hit by a fault: enough for more than 20 records at each seed. */
const writesOfEach = 40;
const enoughTime = { remainingMs: () => 10_000 };

const shares: FaultShares = {
  ...{ conflict: 10, throttling: 5, lostAnswer: 8 },
  ...{ lateWrite: 5, deathBefore: 8, deathAfter: 8 },
};

/** The numbers after one, up to another. */
const range = (after: number, last: number): number[] =>
  Array.from({ length: last - after }, (_, at) => after + 1 + at);

type Loss = readonly [what: string, count: number, lost: readonly number[]];

const losses: readonly Loss[] = [
  ['a lost one', 60, [5, 58]],
  ['one whose next is lost', 3, [2]],
  ['more than one moment shows', 400, range(10, 390)],
];

/** So many that they fill a partition and more. */
const lossesBeyondAPartition: readonly Loss[] = [
  ['the last of a partition that was lost', 1040, [1000, 1038]],
  ['all up to the end of a partition', 1080, range(949, 1000)],
  ['a whole partition', 2060, range(900, 2050)],
];

let engine: TestEngine;

const startEmpty = async (): Promise<void> => {
  engine = await startEngine();
};
afterEach(() => engine.close());

const itemsAWrite = 25;

const remove = async (sequences: readonly number[]): Promise<void> => {
  for (let at = 0; at < sequences.length; at += itemsAWrite) {
    const requests = sequences
      .slice(at, at + itemsAWrite)
      .map((sequence) => ({ DeleteRequest: { Key: toEventKey(sequence) } }));
    const command = new BatchWriteCommand({
      RequestItems: { [readTableName('events')]: requests },
    });
    await dynamodb.send(command);
  }
};

/** Follows the events until there are no more after `isOver`, some at a time. */
const follow = async (random: Random, isOver: () => boolean): Promise<RegistryEvent[]> => {
  const events: RegistryEvent[] = [];
  for (;;) {
    const wasOver = isOver();
    const page = await listEvents(events.at(-1)?.sequence ?? 0, 1 + random.below(100));
    events.push(...page);
    if (wasOver && page.length === 0) return events;
  }
};

/** Brings to Lambda what the stream tells, while writers write. */
const forwardAll = async (random: Random, write: () => Promise<unknown>): Promise<RecordItem[]> => {
  const readMore = await openRecordSource(engine);
  const lambda = createLambda(random);
  const records: RecordItem[] = [];
  const forward = (committed: readonly Committed[]): void => {
    records.push(...committed.map(({ record }) => record));
    lambda.add(committed);
  };
  let isWritten = false;
  const writing = write().finally(() => {
    isWritten = true;
  });
  while (!isWritten) forward(await readMore());
  await writing;
  // A page has a few records, and slow reads can be many pages behind.
  for (let more = await readMore(); more.length > 0; more = await readMore()) forward(more);
  await lambda.close();
  return records;
};

/** Has writers, sequencers and a reader work at once, while things go wrong. Resolves to what there was, before too, and what was read. */
const makeHistory = async (seed: number, before: readonly RecordItem[] = []) => {
  const random = createRandom(seed);
  const writer = async (): Promise<void> => {
    for (let at = 0; at < writesOfEach; at += 1) await writeRecord(random);
  };
  let isOver = false;
  const following = follow(random, () => isOver);
  const sequenced = withFaults(
    random,
    () => forwardAll(random, () => Promise.all(Array.from({ length: writers }, writer))),
    shares,
  );
  const records = await sequenced.finally(() => {
    isOver = true;
  });
  return { records: [...before, ...records], events: await following };
};

const countDays = (records: readonly RecordItem[]) =>
  [...Map.groupBy(records, ({ at }) => at.slice(0, 10))].map(([date, ofDay]) => {
    const count = (type: string) => ofDay.filter((one) => one.type === `package.${type}`).length;
    const waits = ofDay.flatMap(({ waited_seconds }) => waited_seconds ?? []);
    const hours = waits.reduce((sum, wait) => sum + wait, 0) / waits.length / 3600;
    return {
      date,
      ...{ submitted: count('submitted'), approved: count('approved') },
      ...{ rejected: count('rejected'), expired: count('expired'), decided: waits.length },
      by_rule: ofDay.filter(({ rule }) => rule !== undefined).length,
      mean_hours_to_decision: waits.length === 0 ? null : Math.round(hours * 100) / 100,
      waits: Array.from(
        { length: waitBuckets },
        (_, bucket) => waits.filter((wait) => findWaitBucket(wait) === bucket).length,
      ),
    };
  });

const expectDays = async (records: readonly RecordItem[]): Promise<void> => {
  for (const day of countDays(records)) {
    expect(await listDays(new Date(day.date), 1)).toEqual([day]);
  }
};

const expectReadBehind = async (count: number, lost: readonly number[]): Promise<void> => {
  await remove(lost);

  const events = await follow(createRandom(6), () => true);

  const must = range(0, count).filter((one) => !lost.includes(one));
  expect(events.map(({ sequence }) => sequence)).toEqual(must);
};

describe('the events', () => {
  beforeEach(startEmpty);

  it.each([1, 2, 3])('are the records, each once and in order (seed %i)', async (seed) => {
    const { records, events } = await makeHistory(seed);

    expect(records.length).toBeGreaterThan(20);
    expect(findFlaws(records, events)).toEqual([]);
    await expectDays(records);
  });

  it.each(losses)('are read behind %s', async (_, count, lost) => {
    await appendEvents(inventRecords(count), enoughTime);

    await expectReadBehind(count, lost);
  });

  it('end where the head is far ahead of all of them', async () => {
    await appendEvents(inventRecords(3), enoughTime);
    await dynamodb.send(
      new PutCommand({ TableName: readTableName('events'), Item: { ...sequenceKey, seq: 2e9 } }),
    );

    expect(await listEvents(3, 10)).toEqual([]);
  });

  it('are sequenced once, whoever appends them at the same moment', async () => {
    const records = inventRecords(120);

    await Promise.all(Array.from({ length: 4 }, () => appendEvents(records, enoughTime)));

    expect(findFlaws(records, await listEvents(0, 1000))).toEqual([]);
    await expectDays(records);
  });
});

describe('the events of more than a partition', () => {
  const nearlyFull = eventsPerPartition - 15;
  let snapshot: Snapshot;

  beforeAll(async () => {
    snapshot = await takeSnapshot(() => appendEvents(inventRecords(nearlyFull), enoughTime));
  });
  afterAll(() => snapshot.remove());

  beforeEach(async () => {
    engine = await snapshot.start();
  });

  const appendUpTo = (count: number): Promise<void> =>
    appendEvents(inventRecords(count).slice(nearlyFull), enoughTime);

  it('go on in the next partition while they are read', async () => {
    const { records, events } = await makeHistory(4, inventRecords(nearlyFull));

    expect(records.length).toBeGreaterThan(1005);
    expect(findFlaws(records, events)).toEqual([]);
    await expectDays(records);
  });

  it('are read across partitions, however many at a time', async () => {
    await appendUpTo(1011);

    const readFrom = async (after: number, limit: number, until: number): Promise<number[]> => {
      const sequences: number[] = [];
      while ((sequences.at(-1) ?? after) < until) {
        const page = await listEvents(sequences.at(-1) ?? after, limit);
        sequences.push(...page.map(({ sequence }) => sequence));
        if (page.length === 0) break;
      }
      return sequences;
    };

    expect(await readFrom(996, 1, 1003)).toEqual(range(996, 1003));
    expect(await readFrom(990, 7, 1010)).toEqual(range(990, 1011));
    for (const limit of [1000, 5000]) {
      expect(await readFrom(0, limit, 5000)).toEqual(range(0, 1011));
    }
  });

  it.each(lossesBeyondAPartition)('are read behind %s', async (_, count, lost) => {
    await appendUpTo(count);

    await expectReadBehind(count, lost);
  });
});

const atFirst = { step: 'initialize', name: 'plantedFault', priority: 'high' } as const;

/** Has the sequencer forget which records it knows: their notes are not written. */
const forgetNotes = (): void =>
  dynamodb.middlewareStack.add(
    (next) => async (args) => {
      const input: object = args.input;
      if (!('TransactItems' in input) || !Array.isArray(input.TransactItems)) return next(args);
      const TransactItems = input.TransactItems.filter(({ Put }) => Put?.Item.s !== '#note');
      return next({ ...args, input: { ...args.input, TransactItems } });
    },
    atFirst,
  );

/** Has some queries miss an event, as they may while a transaction commits whose head is there already. */
const tearQueries = (missing: number, times: number): void => {
  let torn = 0;
  dynamodb.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        const { output, response } = await next(args);
        if (commandName !== 'QueryCommand' || torn === times) return { output, response };
        torn += 1;
        const { Items = [] } = output as { Items?: { sequence?: number }[] };
        const seen = Items.filter(({ sequence }) => sequence !== missing);
        return { output: { ...output, Items: seen }, response };
      },
    atFirst,
  );
};

/** Has another worker append records just before a transaction, whose head is still in conflict then. */
const overtake = (records: readonly RecordItem[]): void => {
  let isOvertaken = false;
  dynamodb.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        if (commandName !== 'TransactWriteItemsCommand' || isOvertaken) return next(args);
        isOvertaken = true;
        await appendEvents(records, enoughTime);
        throw new TransactionCanceledException({
          message: 'injected',
          CancellationReasons: [
            { Code: 'TransactionConflict' },
            { Code: 'ConditionalCheckFailed' },
          ],
          $metadata: {},
        });
      },
    atFirst,
  );
};

describe('a planted fault', () => {
  beforeEach(startEmpty);
  afterEach(() => {
    dynamodb.middlewareStack.remove('plantedFault');
  });

  it('is seen where the sequencer forgets what it knows', async () => {
    forgetNotes();

    const { records, events } = await makeHistory(5);

    // How often the sequencer runs, and so publishes again, depends on the speed of the machine.
    expect(findFlaws(records, events).join()).toMatch(/\b[2-9]\d* events/);
  });

  it.each([1, 2, 5])('of %i queries that miss an event has readers miss nothing', async (times) => {
    await appendEvents(inventRecords(5), enoughTime);
    tearQueries(3, times);

    const events = await listEvents(0, 10);

    expect(events.map(({ sequence }) => sequence)).toEqual(range(0, 5));
  });

  it('of a head in conflict does not pass for a broken sequence', async () => {
    const records = inventRecords(5);
    overtake(records.slice(0, 2));

    await appendEvents(records, enoughTime);

    expect(findFlaws(records, await listEvents(0, 10))).toEqual([]);
  });
});
