import { randomBytes } from 'node:crypto';
import { secondMs } from '../../util/duration.ts';
import { queryItems } from '../dynamodb/read.ts';
import { defineTable } from '../dynamodb/table.ts';
import { addToFields, type Change, updateItem, type Write } from '../dynamodb/write.ts';
import {
  type CatalogueKey,
  readBucket,
  toLargeBucketKey,
  toSmallBucketKey,
  toSmallBucketPartition,
} from './catalogue-keys.ts';
import { allFacets, type Facet } from './facets.ts';
import { type CatalogueLayout, findPiece } from './layout.ts';
import type { CatalogueTarget } from './target.ts';

/**
 * One shard of a counter, or the summary of a partition's large buckets, with a count for each facet that ever had a
 * version.
 */
export type CounterItem = CatalogueKey & {
  /** Number of changes. */
  readonly u?: number;
  /**
   * Id of the shard: a shard that is created again after a compaction has another id. Absent in the first shard of a
   * small bucket, which always remains.
   */
  readonly i?: string;
  /** Time of the last change in epoch seconds, by the clock of its writer. Only in large buckets and summaries. */
  readonly d?: number;
  /**
   * Only during a compaction, in the first shard of a small bucket or in a summary: copies of the other shards, and
   * (`t`) the time in epoch milliseconds.
   */
  readonly f?: readonly CounterItem[];
  readonly t?: number;
  /** Only in summaries: the generation of their breakdown, and the last large bucket that they contain. */
  readonly g?: string;
  readonly m?: number;
  /** Only in summaries: a small breakdown by large bucket. A larger one is an item of its own. */
  readonly k?: string;
  readonly x?: Uint8Array;
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

/** Returns the time for the field `d`: whole epoch seconds. */
export const readSeconds = (nowMs: number = Date.now()): number => Math.floor(nowMs / secondMs);

/** Returns a new shard id. */
export const makeShardId = (): string => randomBytes(6).toString('base64url');

/** Returns the change that adds to a shard, with further assignments by name. */
const countIn = (
  changes: FacetChanges,
  assignments: Readonly<Record<string, string>>,
  values: Readonly<Record<string, unknown>>,
): Change => {
  // The integrity check compares `u` to detect changes between two reads, even if the counts are equal again.
  const change = addToFields({ ...changes, u: 1 });
  const settings = Object.entries(assignments).map(([name, value]) => `${name} = ${value}`);
  return {
    ...change,
    UpdateExpression: [
      change.UpdateExpression,
      ...(settings.length > 0 ? [`SET ${settings.join(', ')}`] : []),
    ].join(' '),
    ExpressionAttributeValues: { ...change.ExpressionAttributeValues, ...values },
  };
};

const giveId = { i: 'if_not_exists(i, :i)' };

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
  const values = { ':i': makeShardId(), ':d': readSeconds() };
  const large = countIn(changes, { ...giveId, d: ':d' }, values);
  const small =
    shard === 0 ? countIn(changes, {}, {}) : countIn(changes, giveId, { ':i': makeShardId() });
  return [
    updateItem(countersTable, toLargeBucketKey(largeBucket, shard), { change: large }),
    updateItem(countersTable, toSmallBucketKey(largeBucket, smallBucket, shard), { change: small }),
  ].map((write) => ({ ...write, ...(leave && { onConflict: () => leave(shard) }) }));
};

const selectPartition = (partition: string) => ({
  KeyConditionExpression: 'p = :partition',
  ExpressionAttributeValues: { ':partition': partition },
});

/** Returns the counters of a partition: all shards of all buckets, in bucket order. */
export const readCounters = (partition: string): Promise<CounterItem[]> =>
  queryItems(countersTable, selectPartition(partition));

/** Returns a counter's count of one facet; 0 if the value is not a number. */
export const readCount = (counter: CounterItem, cell: Facet): number => {
  const count = counter[cell];
  return typeof count === 'number' ? count : 0;
};

/** Returns the identity of a shard, which its changes do not affect. */
export const nameShard = ({ o, i }: CounterItem): string => `${o} ${i}`;

/**
 * Returns the shards that count: those that exist, and the copies of those that are gone. A query is not isolated from
 * writes and may see shards at different times, but each version is counted once.
 */
export const listCounting = (counters: readonly CounterItem[]): CounterItem[] => {
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
export const countByBucket = (
  counters: readonly CounterItem[],
  cells: readonly Facet[],
): BucketCounts => {
  const counts = new Map<number, number>();
  for (const counter of listCounting(counters)) {
    const bucket = readBucket(counter);
    const count = cells.reduce((sum, cell) => sum + readCount(counter, cell), 0);
    counts.set(bucket, (counts.get(bucket) ?? 0) + count);
  }
  return counts;
};

/** Returns the number of versions of some facets in each small bucket of a large bucket. */
export const readSmallBucketCounts = async (
  largeBucket: number,
  cells: readonly Facet[],
): Promise<BucketCounts> =>
  countByBucket(await readCounters(toSmallBucketPartition(largeBucket)), cells);

/** Returns the sum of all counts. */
export const sumCounts = (counts: BucketCounts): number =>
  [...counts.values()].reduce((sum, count) => sum + count, 0);

/** Returns the sums of two counts by bucket or facet; with the sign -1, their differences. */
export const addCounts = <Key>(
  one: ReadonlyMap<Key, number>,
  other: ReadonlyMap<Key, number>,
  sign: 1 | -1 = 1,
): ReadonlyMap<Key, number> => {
  const sums = new Map(one);
  for (const [key, count] of other) sums.set(key, (sums.get(key) ?? 0) + sign * count);
  return sums;
};
