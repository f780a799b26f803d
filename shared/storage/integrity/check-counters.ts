import { maxCounterShards } from '../../api/resources.ts';
import { createDeadline } from '../../util/deadline.ts';
import { groupBy } from '../../util/group-by.ts';
import { exponentialDelay } from '../../util/retry.ts';
import {
  type CatalogueKey,
  isSummaryKey,
  readBucket,
  readShard,
  toLargeBucketKey,
  toSmallBucketKey,
  toSmallBucketPartition,
  toSummaryKey,
} from '../catalogue/catalogue-keys.ts';
import {
  addCounts,
  type CounterItem,
  countersTable,
  type FacetCounts,
  isCountable,
  makeShardId,
  nameShard,
  readCounters,
  readSeconds,
  sumShards,
} from '../catalogue/counters.ts';
import { allFacets, type Facet } from '../catalogue/facets.ts';
import { findPartitionOf } from '../catalogue/large-counters.ts';
import { type CatalogueLayout, findPiece } from '../catalogue/layout.ts';
import { newestFirst, oldestFirst } from '../catalogue/order.ts';
import { readRows } from '../catalogue/read-rows.ts';
import { type BrowseRow, readSequenceNumber } from '../catalogue/rows.ts';
import { checkItem, deleteItem, ifUnchanged, putItem, type Write } from '../dynamodb/write.ts';
import {
  type AttemptOptions,
  type Check,
  type CheckContext,
  type Checks,
  ConflictError,
  definePhase,
  makeProblem,
  transactIfUnchanged,
} from './check.ts';
import { checkCounterAhead } from './check-submission-counter.ts';
import { checkSummary, listLargeBuckets, readLargeShards } from './check-summaries.ts';

/**
 * Check of the catalogue counters against the browse rows. A counter counts versions by bucket, in one or several
 * shards.
 */

/** Longest wait for a moment without writers, for all counters of one large bucket, in milliseconds. */
const bucketMs = 10_000;

/** One counter: its shards, and the counts that they must add up to. */
interface Counter {
  readonly name: string;
  readonly keyOf: (shard: number) => CatalogueKey;
  /** Key of the summary that may contain part of the counts; absent for small buckets. */
  readonly summaryKey?: CatalogueKey;
  readonly readShards: () => Promise<CounterItem[]>;
  readonly readTruth: () => Promise<FacetCounts>;
}

const countFacets = (cells: readonly Facet[]): FacetCounts =>
  new Map([...groupBy(cells, (cell) => cell)].map(([cell, same]) => [cell, same.length]));

/** Returns true if shards add up to these counts, and all their counts are numbers. */
const isRight = (shards: readonly CounterItem[], counts: FacetCounts): boolean => {
  const sums = sumShards(shards);
  return (
    shards.every(isCountable) &&
    allFacets.every((cell) => (sums.get(cell) ?? 0) === (counts.get(cell) ?? 0))
  );
};

/** Returns true if no writer changed a shard between two reads. */
const isUntouched = (before: readonly CounterItem[], after: readonly CounterItem[]): boolean => {
  const listUpdates = (shards: readonly CounterItem[]): string =>
    JSON.stringify(shards.map((shard) => [nameShard(shard), shard.u]).sort());
  return listUpdates(before) === listUpdates(after);
};

const countUpdates = (shard: CounterItem | undefined): number =>
  typeof shard?.u === 'number' ? shard.u : 0;

const isShardAsSeen = (shard: CounterItem | undefined) => ifUnchanged(shard, ['p', 'i', 'u']);

/** Returns the guard that a summary is as in these shards: it must still be absent if it is not among them. */
const checkSummaryAsSeen = (key: CatalogueKey, shards: readonly CounterItem[]): Write =>
  checkItem(countersTable, key, ifUnchanged(shards.find(isSummaryKey), ['p', 'u']));

/**
 * Replaces all shards of a counter by one, so that it and the summary add up to these counts. Fails if a writer changed any shard: a row changes only
 * together with a shard, so the counts stay right while no shard changes.
 */
const replaceShards = (
  shards: readonly CounterItem[],
  {
    keyOf,
    summaryKey,
    counts,
  }: Pick<Counter, 'keyOf' | 'summaryKey'> & { readonly counts: FacetCounts },
  { deadline }: CheckContext,
): Promise<void> => {
  const own = shards.filter((shard) => !isSummaryKey(shard));
  // All copies in the summary count as soon as their shards are deleted.
  const summarized = sumShards(shards.filter(isSummaryKey));
  const stored = new Map(own.map((shard) => [readShard(shard), shard]));
  const first = stored.get(0);
  const present = [...addCounts(counts, summarized, -1)].filter(([, count]) => count !== 0);
  const item = {
    ...keyOf(0),
    ...Object.fromEntries(present),
    u: countUpdates(first) + 1,
    ...(summaryKey && { i: makeShardId(), d: readSeconds() }),
  };
  const possible = Array.from({ length: maxCounterShards }, (_, shard) => shard);
  const others = [...new Set([...possible, ...stored.keys()])].filter((shard) => shard !== 0);
  return transactIfUnchanged(
    [
      putItem(countersTable, item, isShardAsSeen(first)),
      ...others.map((number) => {
        const shard = stored.get(number);
        const write = shard ? deleteItem : checkItem;
        return write(countersTable, keyOf(number), isShardAsSeen(shard));
      }),
      ...(summaryKey ? [checkSummaryAsSeen(summaryKey, shards)] : []),
    ],
    deadline,
  );
};

/** Returns the check of one counter, repeated until no writer changes the counter during an attempt. */
const checkCounter = (
  { name, keyOf, summaryKey, readShards, readTruth }: Counter,
  attemptOptions: AttemptOptions,
  context: CheckContext,
): Check => ({
  subject: name,
  attemptOptions,
  examine: async () => {
    const shards = await readShards();
    const counts = await readTruth();
    if (!isUntouched(shards, await readShards())) throw new ConflictError();
    if (isRight(shards, counts)) return [];
    return [
      makeProblem({ kind: 'wrong_counter', example: name }, () =>
        replaceShards(shards, { keyOf, ...(summaryKey && { summaryKey }), counts }, context),
      ),
    ];
  },
});

const readRange = (from: number, to: number, layout: CatalogueLayout): Promise<BrowseRow[]> =>
  readRows(
    { order: oldestFirst },
    { partition: findPiece(from, layout.partitionBits), from, to, count: to - from + 1 },
  );

/** A small bucket in a large bucket, both by their numbers. */
interface SmallBucket {
  readonly largeBucket: number;
  readonly smallBucket: number;
}

const findRange = (
  { largeBucket, smallBucket }: SmallBucket,
  { largeBucketBits, smallBucketBits }: CatalogueLayout,
) => {
  const from = largeBucket * 2 ** largeBucketBits + smallBucket * 2 ** smallBucketBits;
  return { from, to: from + 2 ** smallBucketBits - 1 };
};

const countRows = async (bucket: SmallBucket, layout: CatalogueLayout): Promise<FacetCounts> => {
  const { from, to } = findRange(bucket, layout);
  return countFacets((await readRange(from, to, layout)).map(({ c }) => c));
};

const pickBucket = (counters: readonly CounterItem[], bucket: number): CounterItem[] =>
  counters.filter((counter) => readBucket(counter) === bucket);

/** Reads the counters and rows of a large bucket once, and returns its small buckets, and those that seem wrong. */
const readSmallBuckets = async (largeBucket: number, layout: CatalogueLayout) => {
  const { largeBucketBits, smallBucketBits } = layout;
  const start = largeBucket * 2 ** largeBucketBits;
  const counters = await readCounters(toSmallBucketPartition(largeBucket));
  const rows = await readRange(start, start + 2 ** largeBucketBits - 1, layout);
  const rowsByBucket = groupBy(rows, (row) =>
    findPiece(readSequenceNumber(row) - start, smallBucketBits),
  );
  const buckets = [...new Set([...rowsByBucket.keys(), ...counters.map(readBucket)])];
  const suspects = buckets.filter((bucket) => {
    const counts = countFacets((rowsByBucket.get(bucket) ?? []).map(({ c }) => c));
    return !isRight(pickBucket(counters, bucket), counts);
  });
  return { buckets, suspects };
};

const toSmallBucketCounter = (bucket: SmallBucket, layout: CatalogueLayout): Counter => {
  const { largeBucket, smallBucket } = bucket;
  const { from, to } = findRange(bucket, layout);
  return {
    name: `sequence numbers ${from} to ${to}`,
    keyOf: (shard) => toSmallBucketKey(largeBucket, smallBucket, shard),
    readShards: async () =>
      pickBucket(await readCounters(toSmallBucketPartition(largeBucket)), smallBucket),
    readTruth: () => countRows(bucket, layout),
  };
};

/**
 * Returns the counter of a large bucket, which must be the sum of the counters of its small buckets. A wrong counter of
 * a small bucket is replaced in the sum by its rows.
 */
const toLargeBucketCounter = (
  largeBucket: number,
  wrong: readonly number[],
  layout: CatalogueLayout,
): Counter => ({
  name: `large bucket ${largeBucket}`,
  keyOf: (shard) => toLargeBucketKey(largeBucket, shard),
  summaryKey: toSummaryKey(findPartitionOf(largeBucket, layout)),
  readShards: () => readLargeShards(largeBucket, layout),
  readTruth: async () => {
    const counters = await readCounters(toSmallBucketPartition(largeBucket));
    const right = counters.filter((counter) => !wrong.includes(readBucket(counter)));
    let counts = sumShards(right);
    for (const smallBucket of wrong)
      counts = addCounts(counts, await countRows({ largeBucket, smallBucket }, layout));
    return counts;
  },
});

/** Checks the counters of one large bucket, and its summary. Returns the number of counters. */
async function* checkLargeBucket(largeBucket: number, context: CheckContext): Checks<number> {
  const { layout } = context;
  const summary = yield checkSummary(findPartitionOf(largeBucket, layout), context);
  const attemptOptions: AttemptOptions = {
    attempts: Number.POSITIVE_INFINITY,
    delayMs: exponentialDelay({ firstMs: 40, longestMs: 500 }),
    jitter: 1,
    deadline: createDeadline(bucketMs),
  };
  const { buckets, suspects } = await readSmallBuckets(largeBucket, layout);
  const wrong: number[] = [];
  let isUnjudged = summary === 'reported' || summary === 'unjudged';
  for (const smallBucket of suspects) {
    const counter = toSmallBucketCounter({ largeBucket, smallBucket }, layout);
    const outcome = yield checkCounter(counter, attemptOptions, context);
    if (outcome === 'reported') wrong.push(smallBucket);
    isUnjudged ||= outcome === 'unjudged';
  }
  // A wrong summary or an unjudged counter of a small bucket leaves the sum unknown.
  yield isUnjudged
    ? {
        subject: `large bucket ${largeBucket}`,
        examine: () => Promise.reject(new ConflictError()),
        attemptOptions: { attempts: 1 },
      }
    : checkCounter(toLargeBucketCounter(largeBucket, wrong, layout), attemptOptions, context);
  return buckets.length + 1;
}

/** Returns the highest sequence number of a browse row; 0 if there is none. */
const findHighestNumber = async (layout: CatalogueLayout): Promise<number> => {
  const { largeBucketBits, partitionBits } = layout;
  for (const bucket of (await listLargeBuckets(layout)).sort(newestFirst.compare)) {
    const from = newestFirst.enter(bucket, largeBucketBits);
    const partition = findPiece(from, partitionBits);
    const [row] = await readRows({ order: newestFirst }, { partition, from, count: 1 });
    if (row) return readSequenceNumber(row);
  }
  return 0;
};

/** Checks each counter, one large bucket a page, and then the submission counter. */
export const countersPhase = definePhase({
  readPage: async ({ block: bucket = 0 }, _, { layout }) => {
    const later = (await listLargeBuckets(layout)).filter((one) => one >= bucket);
    if (later.length === 0) return { items: [], next: undefined };
    const first = Math.min(...later);
    return { items: [first], next: { block: first + 1 } };
  },
  async *checkPage({ items, next }, context): Checks<number> {
    let count = 0;
    for (const bucket of items) count += yield* checkLargeBucket(bucket, context);
    if (!next) yield checkCounterAhead(await findHighestNumber(context.layout), context);
    return count;
  },
});
