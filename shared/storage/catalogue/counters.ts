import { randomBytes } from 'node:crypto';
import { queryItems } from '../dynamodb/read.ts';
import { defineTable } from '../dynamodb/table.ts';
import { addToFields, type Change, updateItem, type Write } from '../dynamodb/write.ts';
import {
  type CatalogueKey,
  largeBucketPartition,
  readBucket,
  toLargeBucketKey,
  toSmallBucketKey,
  toSmallBucketPartition,
} from './catalogue-keys.ts';
import { allFacets, type Facet } from './facets.ts';
import { type CatalogueLayout, findPiece } from './layout.ts';
import type { CatalogueTarget } from './target.ts';

/** One shard of a counter, with a count for each facet that ever had a version. */
export type CounterItem = CatalogueKey & {
  /** Number of changes. */
  readonly u?: number;
  /**
   * Id of the shard: a shard that is created again after a compaction has another id. The first shard always remains.
   */
  readonly i?: string;
  /**
   * Only in the first shard during a compaction: copies of the other shards, and (`t`) the time in epoch milliseconds.
   */
  readonly f?: readonly CounterItem[];
  readonly t?: number;
} & Readonly<Record<Facet, unknown>>;

export const countersTable = defineTable<CounterItem>('catalogue');

/** Number of matching versions by bucket number. Empty buckets may be missing. */
export type BucketCounts = ReadonlyMap<number, number>;

/** Amounts to add to the counts of facets. */
export type FacetChanges = Readonly<Record<Facet, number>>;

/** Returns the large bucket of a sequence number, and the small bucket within it. */
const findBuckets = (
  sequence: number,
  { largeBucketBits, smallBucketBits }: CatalogueLayout,
): { readonly largeBucket: number; readonly smallBucket: number } => {
  const largeBucket = findPiece(sequence, largeBucketBits);
  return {
    largeBucket,
    smallBucket: findPiece(sequence - largeBucket * 2 ** largeBucketBits, smallBucketBits),
  };
};

/**
 * Returns the change that adds to a shard, which is created if absent. The integrity check compares `u` to detect
 * changes between two reads, even if the counts are equal again.
 */
const countIn = (shard: number, changes: FacetChanges): Change => {
  const change = addToFields({ ...changes, u: 1 });
  // The first shard is never deleted.
  if (shard === 0) return change;
  return {
    ...change,
    UpdateExpression: `${change.UpdateExpression} SET i = if_not_exists(i, :i)`,
    ExpressionAttributeValues: {
      ...change.ExpressionAttributeValues,
      ':i': randomBytes(6).toString('base64url'),
    },
  };
};

/**
 * Returns the writes that change the counts at a sequence number. Each counter has shards to make conflicts rare. Both
 * counters use the same shard, so that a large bucket's counter with one shard implies one shard for its small buckets.
 */
export const changeCounts = (
  sequence: number,
  changes: FacetChanges,
  { layout, shard, leave }: CatalogueTarget,
): Write[] => {
  const { largeBucket, smallBucket } = findBuckets(sequence, layout);
  return [
    toLargeBucketKey(largeBucket, shard),
    toSmallBucketKey(largeBucket, smallBucket, shard),
  ].map((key) => ({
    ...updateItem(countersTable, key, { change: countIn(shard, changes) }),
    ...(leave && { onConflict: () => leave(shard) }),
  }));
};

const selectPartition = (partition: string) => ({
  KeyConditionExpression: 'p = :partition',
  ExpressionAttributeValues: { ':partition': partition },
});

/** Returns the counters of a partition: all shards of all buckets, in bucket order. */
export const readCounters = (partition: string): Promise<CounterItem[]> =>
  queryItems(countersTable, selectPartition(partition));

/** Returns a counter's count of one facet; 0 if the value is not a number. */
const readCount = (counter: CounterItem, cell: Facet): number => {
  const count = counter[cell];
  return typeof count === 'number' ? count : 0;
};

/** Returns the identity of a shard, which its changes do not affect. */
export const nameShard = ({ o, i }: CounterItem): string => `${o} ${i}`;

/**
 * Returns the shards that count: those that exist, and the copies of those that are gone. A query is not isolated from
 * writes and may see shards at different times, but each version is counted once.
 */
const listCounting = (counters: readonly CounterItem[]): CounterItem[] => {
  const there = new Set(counters.map(nameShard));
  const copies = counters.flatMap(({ f = [] }) => f);
  return [...counters, ...copies.filter((copy) => !there.has(nameShard(copy)))];
};

/** Number of versions of each facet. */
export type FacetCounts = ReadonlyMap<Facet, number>;

/** Returns the sums over shards of one or several counters. */
export const sumShards = (shards: readonly CounterItem[]): FacetCounts => {
  const counting = listCounting(shards);
  return new Map(
    allFacets.map((cell) => [cell, counting.reduce((sum, one) => sum + readCount(one, cell), 0)]),
  );
};

/** True if all counts of a shard are numbers, so that writes can add to them. */
export const isCountable = (shard: CounterItem): boolean =>
  [...allFacets, 'u'].every((name) => ['undefined', 'number'].includes(typeof shard[name]));

/** Returns the counts of facets for each bucket, summed over its shards. */
const countByBucket = (counters: readonly CounterItem[], cells: readonly Facet[]): BucketCounts => {
  const counts = new Map<number, number>();
  for (const counter of listCounting(counters)) {
    const bucket = readBucket(counter);
    const count = cells.reduce((sum, cell) => sum + readCount(counter, cell), 0);
    counts.set(bucket, (counts.get(bucket) ?? 0) + count);
  }
  return counts;
};

/** Returns the number of versions of some facets in each large bucket. */
export const readLargeBucketCounts = async (cells: readonly Facet[]): Promise<BucketCounts> =>
  countByBucket(await readCounters(largeBucketPartition), cells);

/** Returns the number of versions of some facets in each small bucket of a large bucket. */
export const readSmallBucketCounts = async (
  largeBucket: number,
  cells: readonly Facet[],
): Promise<BucketCounts> =>
  countByBucket(await readCounters(toSmallBucketPartition(largeBucket)), cells);

/** Returns the sum of all counts. */
export const sumCounts = (counts: BucketCounts): number =>
  [...counts.values()].reduce((sum, count) => sum + count, 0);
