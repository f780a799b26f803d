/** The fold of counters, step by step: what it comes to while others are at work is in fold.test.ts. */
import { BatchWriteCommand, PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  toLargeBucketKey,
  toSmallBucketKey,
} from '../../../shared/storage/catalogue/catalogue-keys.ts';
import { compactCounter } from '../../../shared/storage/catalogue/compact-counter.ts';
import { compactCounters } from '../../../shared/storage/catalogue/compact-counters.ts';
import type { CounterItem } from '../../../shared/storage/catalogue/counters.ts';
import { dynamodb } from '../../../shared/storage/dynamodb/dynamodb.ts';
import { sequenceNumberName } from '../../../shared/storage/packages/submission-counter.ts';
import { startEngine, type TestEngine } from '../../support/engine.ts';
import { smallLayout } from './history.ts';

let engine: TestEngine | undefined;
beforeEach(async () => {
  await engine?.close();
  engine = await startEngine();
});
afterEach(() => {
  dynamodb.middlewareStack.remove('broken');
  vi.restoreAllMocks();
});
afterAll(() => engine?.close());

type Counts = Readonly<Record<string, unknown>>;

const toShard = (shard: number, counts: Counts): CounterItem =>
  ({ ...toLargeBucketKey(0, shard), ...counts }) as CounterItem;

const put = async (...items: readonly CounterItem[]): Promise<void> => {
  for (let at = 0; at < items.length; at += 25) {
    const requests = items.slice(at, at + 25).map((Item) => ({ PutRequest: { Item } }));
    await dynamodb.send(new BatchWriteCommand({ RequestItems: { catalogue: requests } }));
  }
};

const read = async (): Promise<CounterItem[]> => {
  const { Items = [] } = await dynamodb.send(new ScanCommand({ TableName: 'catalogue' }));
  return (Items as CounterItem[]).sort((one, other) =>
    `${one.p}${one.o}` < `${other.p}${other.o}` ? -1 : 1,
  );
};

const key = toLargeBucketKey(0, 0);
/** A step as of what is stored, or as of what was read before. */
const step = async (nowMs: number, seen?: readonly CounterItem[]): Promise<CounterItem[]> => {
  await compactCounter(seen ?? (await read()), key, () => nowMs);
  return read();
};

const first = toShard(0, { A: 1, u: 4 });
const second = toShard(1, { A: 2, B: 0, u: 7, i: 'one' });
const third = toShard(5, { A: 3, C: 1, u: 1, i: 'two' });
const copied = { ...first, u: 5, f: [second, third], t: 1000 };

describe('a counter', () => {
  it('that is in its first shard alone is left as it is', async () => {
    await put(first);

    expect(await step(1000)).toEqual([first]);
  });

  it.each([{ A: 'text' }, { u: 'text' }])(
    'with %j in a shard is left to the integrity check',
    async (broken) => {
      const items = [first, { ...second, ...broken } as CounterItem];
      await put(...items);

      expect(await step(1000)).toEqual(items);
    },
  );

  it('has its other shards copied to the first', async () => {
    await put(first, second, third);

    expect(await step(1000)).toEqual([copied, second, third]);
  });

  it('has a first shard made for the copies', async () => {
    await put(second);

    expect(await step(1000)).toEqual([toShard(0, { u: 1, f: [second], t: 1000 }), second]);
  });

  it('waits for half a minute before anything goes, and again before anything is added', async () => {
    await put(copied, second, third);
    expect(await step(30_999)).toEqual([copied, second, third]);

    const removed = { ...copied, u: 6, t: 31_000 };
    expect(await step(31_000)).toEqual([removed]);
    expect(await step(60_999)).toEqual([removed]);
    expect(await step(61_000)).toEqual([toShard(0, { A: 6, C: 1, u: 7 })]);
    expect(await step(99_000)).toEqual([toShard(0, { A: 6, C: 1, u: 7 })]);
  });

  it('keeps a shard that changed after it was copied', async () => {
    const changed = { ...second, A: 9, u: 8 } as CounterItem;
    await put(copied, changed, third);

    expect(await step(31_000)).toEqual([{ ...copied, u: 6, t: 31_000 }, changed]);
    expect(await step(61_000)).toEqual([toShard(0, { A: 4, C: 1, u: 7 }), changed]);
    expect(await step(62_000)).toEqual([
      toShard(0, { A: 4, C: 1, u: 8, f: [changed], t: 62_000 }),
      changed,
    ]);
  });

  it('adds the copy of a shard that went and came anew, which stays', async () => {
    const anew = { ...second, A: 5, u: 1, i: 'three' } as CounterItem;
    await put({ ...copied, f: [second] }, anew);

    expect(await step(31_000)).toEqual([toShard(0, { A: 3, u: 6 }), anew]);
  });

  it('tells of what is broken where it stands', async () => {
    await put({ ...copied, C: 'text' } as CounterItem);
    const seen = [copied];

    await expect(step(31_000, seen)).rejects.toThrow();
  });
});

describe('a worker that comes too late', () => {
  it('copies nothing where the first shard changed', async () => {
    const seen = [first, second];
    const now = [{ ...first, A: 2, u: 5 } as CounterItem, second];
    await put(...now);

    expect(await step(1000, seen)).toEqual(now);
  });

  it('copies nothing where a first shard came', async () => {
    await put(first, second);

    expect(await step(1000, [second])).toEqual([first, second]);
  });

  it('removes nothing where another one began to', async () => {
    const now = [{ ...copied, u: 6, t: 2000 }, second, third];
    await put(...now);

    expect(await step(40_000, [copied, second, third])).toEqual(now);
  });

  it('removes no shard that changed meanwhile, nor one that came anew, and goes on with the others', async () => {
    const changed = { ...second, A: 9, u: 8 } as CounterItem;
    await put(copied, changed, third);
    expect(await step(31_000, [copied, second, third])).toEqual([
      { ...copied, u: 6, t: 31_000 },
      changed,
    ]);

    const anew = { ...second, i: 'three' } as CounterItem;
    await put(copied, anew, third);
    expect(await step(31_000, [copied, second, third])).toEqual([
      { ...copied, u: 6, t: 31_000 },
      anew,
    ]);
  });

  it('adds nothing twice', async () => {
    const done = toShard(0, { A: 6, C: 1, u: 7 });
    await put(done);

    expect(await step(61_000, [{ ...copied, u: 6, t: 31_000 }])).toEqual([done]);
  });
});

describe('a run over all counters', () => {
  const spread = (bucket: number): CounterItem[] => [
    { ...toLargeBucketKey(bucket, 0), D: 1, u: 1 } as CounterItem,
    { ...toLargeBucketKey(bucket, 1), D: 1, u: 1, i: 'c' } as CounterItem,
  ];
  const spreadSmallBucket = (bucket: number, smallBucket: number): CounterItem[] => [
    { ...toSmallBucketKey(bucket, smallBucket, 0), D: 1, u: 1 } as CounterItem,
    { ...toSmallBucketKey(bucket, smallBucket, 1), D: 1, u: 1, i: 'f' } as CounterItem,
  ];
  const setNewest = (count: unknown) =>
    dynamodb.send(
      new PutCommand({
        TableName: 'packages',
        Item: { name_key: sequenceNumberName, version_key: sequenceNumberName, count },
      }),
    );
  const run = (remainingMs = 60_000) =>
    compactCounters({
      deadline: { remainingMs: () => remainingMs },
      layout: smallLayout,
      readClock: () => 1000,
    });
  /** The counters that a run went on with. */
  const begun = async (): Promise<string[]> =>
    (await read()).filter(({ f }) => f).map(({ p, o }) => `${p} ${o}`);

  it.each([
    [20, ['#f000001 000000']],
    [19, []],
    [24, ['#f000001 000000', '#f000001 000100']],
    ['text', []],
  ])('works on those to which no new version comes, after %s', async (newest, expected) => {
    await setNewest(newest);
    await put(...spread(1), ...spreadSmallBucket(1, 0), ...spreadSmallBucket(1, 1));

    await run();

    expect(await begun()).toEqual(expected);
  });

  it.each([
    [31, []],
    [32, ['#c ~000000']],
  ])(
    'works on a large bucket once its small buckets are folded, after %i',
    async (newest, expected) => {
      await setNewest(newest);
      await put(...spread(1), toSmallBucketItem(1, 0));

      await run();

      expect(await begun()).toEqual(expected);
    },
  );

  const toSmallBucketItem = (bucket: number, smallBucket: number): CounterItem =>
    ({ ...toSmallBucketKey(bucket, smallBucket, 0), D: 2, u: 1 }) as CounterItem;

  it('passes over large buckets whose counter has one shard', async () => {
    await setNewest(64);
    await put({ ...toLargeBucketKey(1, 0), D: 2, u: 2 } as CounterItem, ...spreadSmallBucket(1, 0));

    await run();

    expect(await begun()).toEqual([]);
  });

  it('works on 200 at most, and on none with less than ten seconds left', async () => {
    // Three of each large bucket, so that the bound cuts one in the middle.
    const buckets = Array.from({ length: 80 }, (_, at) => at);
    await setNewest(16 * buckets.length);
    await put(
      ...buckets.flatMap((at) => [
        ...spread(at),
        ...[0, 1, 2].flatMap((smallBucket) => spreadSmallBucket(at, smallBucket)),
      ]),
    );

    const random = vi.spyOn(Math, 'random').mockReturnValue(0);
    await run(9999);
    expect(await begun()).toEqual([]);

    await run(10_000);
    expect(await begun()).toHaveLength(200);

    // Those that wait are among the 200 again; wherever a run begins, some of the others are.
    random.mockReturnValue(0.5);
    await run();
    expect(await begun()).toHaveLength(240);
  });

  /** Large buckets in partitions with a summary each. */
  const inThreePartitions = [0, 4, 8];

  it('begins anywhere, and goes once around', async () => {
    await setNewest(16 * 60);
    await put(...inThreePartitions.flatMap(spread));
    vi.spyOn(Math, 'random').mockReturnValue(0.5);

    await run();

    expect(await begun()).toEqual(['#c ~000000', '#c ~000001', '#c ~000002']);
  });

  it('goes on after one that fails, names it, and fails then', async () => {
    const said = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    await setNewest(16 * 60);
    await put(...inThreePartitions.flatMap(spread));
    dynamodb.middlewareStack.add(
      (next) => async (args) => {
        if (JSON.stringify(args.input).includes('"o":"~000001"')) throw new Error('broken');
        return next(args);
      },
      { step: 'initialize', name: 'broken' },
    );

    await expect(run()).rejects.toThrow('1 counters were not folded; the log names them');

    dynamodb.middlewareStack.remove('broken');
    expect(await begun()).toEqual(['#c ~000000', '#c ~000002']);
    expect(JSON.stringify(said.mock.calls)).toContain('#c ~000001');
  });
});
