import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { IntegrityReport } from '../../../shared/api/schemas/integrity.ts';
import {
  countInBreakdown,
  findBreakdown,
  readBreakdownItem,
} from '../../../shared/storage/catalogue/breakdown.ts';
import { createCatalogue } from '../../../shared/storage/catalogue/catalogue.ts';
import {
  isSummaryKey,
  largeBucketPartition,
  readBucket,
  readShard,
  toSmallBucketPartition,
} from '../../../shared/storage/catalogue/catalogue-keys.ts';
import { compactCounters } from '../../../shared/storage/catalogue/compact-counters.ts';
import {
  type CounterItem,
  readCounters,
  sumCounts,
  sumShards,
} from '../../../shared/storage/catalogue/counters.ts';
import { allFacets, toFacets } from '../../../shared/storage/catalogue/facets.ts';
import {
  countByPartition,
  readLargeCounters,
} from '../../../shared/storage/catalogue/large-counters.ts';
import { checkIntegrity } from '../../../shared/storage/integrity/check-integrity.ts';
import { decidePackage } from '../../../shared/use-cases/review/decide-package.ts';
import { submitPackage } from '../../../shared/use-cases/review/submit-package.ts';
import { writeContext } from '../../capacity/write-context.ts';
import { withDeaths } from '../../support/deaths.ts';
import { type Snapshot, type TestEngine, takeSnapshot } from '../../support/engine.ts';
import { histories } from '../../support/histories.ts';
import { createRandom, type Random } from '../../support/random.ts';
import { randomQuery, smallLayout } from './history.ts';
import { expectedPage, readTruth } from './oracle.ts';

const versions = 40;
/** Counters for 16 and 4 sequence numbers: the last bucket of each size is open. */
const largeBuckets = [0, 1, 2];
const deadline = { remainingMs: () => 60_000 };
const shardCounts = [1, 4, 16];

/** A registry for each number of shards. */
const filled = new Map<number, Snapshot>();
let engine: TestEngine | undefined;
let nowMs: number;
beforeAll(async () => {
  for (const shards of shardCounts) {
    filled.set(shards, await takeSnapshot(() => submitAll(createRandom(shards), shards)));
  }
});
beforeEach(() => {
  nowMs = 0;
});
const close = async (): Promise<void> => {
  await engine?.close();
  engine = undefined;
};
afterEach(close);
afterAll(() => {
  for (const snapshot of filled.values()) snapshot.remove();
});

const open = async (shards: number): Promise<void> => {
  await close();
  engine = await filled.get(shards)?.start();
};

const toId = (at: number) =>
  ({ ecosystem: at % 3 ? 'npm' : 'pypi', name: `package-${at}`, version: '1.0.0' }) as const;

/** As an instance of a function would that counts in any of so many shards. */
const contextOf = (random: Random, shards: number) => ({
  ...writeContext(),
  catalogue: { layout: smallLayout, shard: random.below(shards) },
});

const submitAll = async (random: Random, shards: number): Promise<void> => {
  for (let at = 0; at < versions; at += 1) {
    await submitPackage(toId(at), contextOf(random, shards));
  }
};

const decide = async (random: Random, shards: number): Promise<void> => {
  const to = random.pick(['approved', 'rejected'] as const);
  const request = { to, by: 'ana', reason: 'because' } as const;
  await decidePackage(toId(random.below(versions)), request, contextOf(random, shards)).catch(
    (error: unknown) => expect(error).toMatchObject({ code: 'decision_conflict' }),
  );
};

/** The size of breakdowns that stay in their summaries. */
let inlineBytes = 1200;

/** One run of the worker, a minute after the one before. */
const tick = (): Promise<void> => {
  nowMs += 60_000;
  return compactCounters({ deadline, layout: smallLayout, readClock: () => nowMs, inlineBytes });
};

/** Runs the worker often enough for all counters: three steps for small buckets, then three for large ones. */
const tickUntilFolded = async (): Promise<void> => {
  for (let at = 0; at < 10; at += 1) await tick();
};

const readAll = async (): Promise<CounterItem[]> => [
  ...(await readCounters(largeBucketPartition)),
  ...(
    await Promise.all(largeBuckets.map((bucket) => readCounters(toSmallBucketPartition(bucket))))
  ).flat(),
];

type Sums = Record<string, unknown>;

/** Each counter of small buckets and what it adds up to. */
const sumSmall = (items: readonly CounterItem[]): Sums => {
  const small = items.filter(({ p }) => p !== largeBucketPartition);
  const toKey = (item: CounterItem): string => `${item.p} ${readBucket(item)}`;
  return Object.fromEntries(
    [...new Set(small.map(toKey))].sort().map((key) => {
      const shards = small.filter((item) => toKey(item) === key);
      return [key, Object.fromEntries(sumShards(shards))];
    }),
  );
};

/** Each large bucket and what it adds up to with its part of the summary, as long as this is there. */
const sumLarge = async (items: readonly CounterItem[]): Promise<Sums> => {
  const counters = items.filter(({ p }) => p === largeBucketPartition);
  const summary = counters.find(isSummaryKey);
  const breakdown = findBreakdown(summary, await readBreakdownItem(0), smallLayout);
  const shards = counters.filter((item) => item !== summary);
  const all = Object.fromEntries(sumShards(counters));
  if (!breakdown) return { all };
  const copies = summary
    ? { ...summary, ...Object.fromEntries(allFacets.map((one) => [one, 0])) }
    : [];
  return {
    all,
    ...Object.fromEntries(
      largeBuckets.map((bucket) => {
        const isOf = (shard: CounterItem): boolean => readBucket(shard) === bucket;
        const own = [copies].flat().map(({ f = [], ...rest }) => ({ ...rest, f: f.filter(isOf) }));
        const sums = sumShards([...shards.filter(isOf), ...own]);
        const inSummary = (facet: string): number =>
          countInBreakdown(breakdown, 0, [facet]).get(bucket) ?? 0;
        return [bucket, allFacets.map((facet) => (sums.get(facet) ?? 0) + inSummary(facet))];
      }),
    ),
  };
};

const sumEach = async (items: readonly CounterItem[]): Promise<Sums> => ({
  ...sumSmall(items),
  ...(await sumLarge(items)),
});

/** What a query may see that a step came in between: each item as it was before or as it was after it. */
const mix = (
  random: Random,
  before: readonly CounterItem[],
  after: readonly CounterItem[],
): CounterItem[] => {
  const keyOf = ({ p, o }: CounterItem): string => `${p} ${o}`;
  return [...new Set([...before, ...after].map(keyOf))].flatMap((key) =>
    (random.below(2) ? before : after).filter((item) => keyOf(item) === key),
  );
};

const expectExact = async (random: Random): Promise<void> => {
  const truth = await readTruth();
  const list = createCatalogue(smallLayout);
  for (let at = 0; at < 5; at += 1) {
    const { search: _, ...query } = randomQuery(random, truth.length);
    expect(await list(query), JSON.stringify(query)).toEqual(expectedPage(truth, query));
  }
};

const expectRightCounters = async (): Promise<void> => {
  const report = await checkIntegrity(IntegrityReport.parse({}), smallLayout, deadline);
  const { done, found, examples: all } = report;
  const examples = all.filter((example) => example.startsWith('wrong_counter'));
  expect({ done, wrong: found['wrong_counter'], examples }).toEqual({
    done: true,
    wrong: 0,
    examples: [],
  });
};

/**
 * Of the sequence numbers 1 to 40, those below 40 are in full small buckets, those below 32 in full large ones. The
 * summary has these, unless each has one shard from the beginning.
 */
const expectFolded = (items: readonly CounterItem[], shards = 4): void => {
  const isLarge = ({ p }: CounterItem): boolean => p === largeBucketPartition;
  const small = items.filter((item) => !isLarge(item));
  const isOpen = (item: CounterItem): boolean =>
    item.p === toSmallBucketPartition(2) && readBucket(item) === 2;
  const closed = small.filter((item) => !isOpen(item));
  expect(new Set(closed.map(readShard))).toEqual(new Set([0]));
  const large = items.filter((item) => isLarge(item) && !isSummaryKey(item));
  expect(new Set(large.map(readBucket))).toEqual(new Set(shards === 1 ? [0, 1, 2] : [2]));
  const summaries = items.filter((item) => isLarge(item) && isSummaryKey(item));
  expect(summaries).toHaveLength(shards === 1 ? 0 : 1);
  expect([...closed, ...summaries].filter(({ f, t }) => f ?? t)).toEqual([]);
};

describe.each([
  { shards: 1, bytes: 1200 },
  { shards: 4, bytes: 1200 },
  { shards: 4, bytes: 0 },
  { shards: 16, bytes: 1200 },
])(
  'counters in $shards shards, and breakdowns of $bytes bytes in summaries',
  ({ shards, bytes }) => {
    beforeEach(() => {
      inlineBytes = bytes;
    });

    it('add up to the same at every step of a fold, whichever items of a step are seen', async () => {
      const random = createRandom(shards);
      await open(shards);
      const sums = await sumEach(await readAll());

      for (let step = 0; step < 8; step += 1) {
        const before = await readAll();
        await tick();
        const after = await readAll();

        for (let at = 0; at < 20; at += 1) {
          const seen = await sumEach(mix(random, before, after));
          for (const [key, sum] of Object.entries(seen)) expect(sum, key).toEqual(sums[key]);
          expect(seen['all']).toEqual(sums['all']);
        }
      }

      expectFolded(await readAll(), shards);
      await expectExact(random);
      await expectRightCounters();
    });

    it('stay exact while workers fold side by side, are killed, and others decide', async () => {
      for (let seed = 0; seed < histories(1); seed += 1) {
        const random = createRandom(100 * shards + seed);
        await open(shards);

        for (let step = 0; step < 8; step += 1) {
          await withDeaths(random, 20, () =>
            Promise.allSettled([tick(), tick(), decide(random, shards), decide(random, shards)]),
          );
          await expectExact(random);
        }

        await expectRightCounters();
        await tickUntilFolded();
        expectFolded(await readAll(), shards);
        await expectExact(random);
        await expectRightCounters();
      }
    });
  },
);

it('folds what decisions have spread again', async () => {
  await open(4);
  await tickUntilFolded();
  const request = { to: 'approved', by: 'ana', reason: null } as const;
  const catalogue = { layout: smallLayout, shard: 3 };
  await decidePackage(toId(1), request, { ...writeContext(), catalogue });

  await tickUntilFolded();

  expectFolded(await readAll());
  const counters = await readLargeCounters();
  const approved = countByPartition(counters, toFacets({ status: 'approved' }), smallLayout);
  expect(sumCounts(approved)).toBe(1);
});

it('does not touch counters to which new versions come', async () => {
  await open(4);
  const isOpen = ({ p, o }: CounterItem) =>
    p === largeBucketPartition && readBucket({ p, o }) === 2;
  const before = (await readAll()).filter(isOpen);

  await tickUntilFolded();

  expect((await readAll()).filter(isOpen)).toEqual(before);
});

it('waits with each step until whoever read or wrote before has an end', async () => {
  await open(4);
  await tick();
  const copied = await readAll();

  nowMs += 29_000 - 60_000;
  await tick();

  expect(await readAll()).toEqual(copied);
});

it('leaves to the next run what there is no time for', async () => {
  await open(4);
  const before = await readAll();

  await compactCounters({ deadline: { remainingMs: () => 5000 }, layout: smallLayout });

  expect(await readAll()).toEqual(before);
});
