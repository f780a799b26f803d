import { randomBytes } from 'node:crypto';
import { queryItems } from '../dynamodb/read.ts';
import { defineTable } from '../dynamodb/table.ts';
import { addToFields, type Change, updateItem, type Write } from '../dynamodb/write.ts';
import {
  type CatalogueKey,
  coarseBucketPartition,
  readBlock,
  toCoarseKey,
  toFineKey,
  toFinePartition,
} from './catalogue-keys.ts';
import { allFacets, type Facet } from './facets.ts';
import { type CatalogueLayout, findPiece } from './layout.ts';
import type { CatalogueTarget } from './target.ts';

/** One shard of one counter: a count for each cell that ever had a version. */
export type CounterItem = CatalogueKey & {
  /** How often it was changed. */
  readonly u?: number;
  /** Which one it is: where a shard was folded and comes anew, it is another one. The first shard always stays. */
  readonly i?: string;
  /** In the first shard: copies of the others, while these are folded into it, and since when, in epoch milliseconds. */
  readonly f?: readonly CounterItem[];
  readonly t?: number;
} & Readonly<Record<Facet, unknown>>;

export const countersTable = defineTable<CounterItem>('catalogue');

/** How many versions match in each block of ordinals, in the order of the blocks. Blocks without any may be missing. */
export type BlockCounts = ReadonlyMap<number, number>;

/** By how much to change the count of some cells. */
export type FacetChanges = Readonly<Record<Facet, number>>;

/** The block of a coarse counter, and the block of a fine counter within it. */
const findBlocks = (
  ordinal: number,
  { coarseBits, fineBits }: CatalogueLayout,
): { readonly coarse: number; readonly fine: number } => {
  const coarse = findPiece(ordinal, coarseBits);
  return { coarse, fine: findPiece(ordinal - coarse * 2 ** coarseBits, fineBits) };
};

/**
 * Adds to a shard, which is made if there is none. The integrity check sees by u that nothing happened between two reads, where
 * counts might have gone up and down again.
 */
const countIn = (shard: number, changes: FacetChanges): Change => {
  const change = addToFields({ ...changes, u: 1 });
  // The first shard is never taken away.
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
 * The writes that change the counts at an ordinal. Each goes to one shard, so that writers seldom meet: both to the same, so
 * that a coarse counter that is in one shard tells that its fine ones are.
 */
export const changeCounts = (
  ordinal: number,
  changes: FacetChanges,
  { layout, shard, leave }: CatalogueTarget,
): Write[] => {
  const { coarse, fine } = findBlocks(ordinal, layout);
  return [toCoarseKey(coarse, shard), toFineKey(coarse, fine, shard)].map((key) => ({
    ...updateItem(countersTable, key, { change: countIn(shard, changes) }),
    ...(leave && { onConflict: () => leave(shard) }),
  }));
};

const selectPartition = (partition: string) => ({
  KeyConditionExpression: 'p = :partition',
  ExpressionAttributeValues: { ':partition': partition },
});

/** The counters of a partition, every shard of every block, in the order of the blocks. */
export const readCounters = (partition: string): Promise<CounterItem[]> =>
  queryItems(countersTable, selectPartition(partition));

/** A counter's count of one cell. What is no number counts nothing. */
const readCount = (counter: CounterItem, cell: Facet): number => {
  const count = counter[cell];
  return typeof count === 'number' ? count : 0;
};

/** Names one shard, as long as it is the same one, however it changes. */
export const nameShard = ({ o, i }: CounterItem): string => `${o} ${i}`;

/**
 * The shards of some counters, and for each that is gone its copy, where there is one. A query is not isolated from
 * writes: it may see one shard as it was and the next one as it is. Whichever it sees, what is counted is counted once.
 */
const listCounting = (counters: readonly CounterItem[]): CounterItem[] => {
  const there = new Set(counters.map(nameShard));
  const copies = counters.flatMap(({ f = [] }) => f);
  return [...counters, ...copies.filter((copy) => !there.has(nameShard(copy)))];
};

/** How many versions each cell has. */
export type FacetCounts = ReadonlyMap<Facet, number>;

/** What shards of one counter, or of several, add up to. */
export const sumShards = (shards: readonly CounterItem[]): FacetCounts => {
  const counting = listCounting(shards);
  return new Map(
    allFacets.map((cell) => [cell, counting.reduce((sum, one) => sum + readCount(one, cell), 0)]),
  );
};

/** Whether writers can go on counting with a shard: nobody can add to what is no number. */
export const isCountable = (shard: CounterItem): boolean =>
  [...allFacets, 'u'].every((name) => ['undefined', 'number'].includes(typeof shard[name]));

/** The counts of some cells, summed over the shards of each block. */
const countBlocks = (counters: readonly CounterItem[], cells: readonly Facet[]): BlockCounts => {
  const counts = new Map<number, number>();
  for (const counter of listCounting(counters)) {
    const block = readBlock(counter);
    const count = cells.reduce((sum, cell) => sum + readCount(counter, cell), 0);
    counts.set(block, (counts.get(block) ?? 0) + count);
  }
  return counts;
};

/** How many versions of some cells there are in each coarse block. */
export const readCoarseCounts = async (cells: readonly Facet[]): Promise<BlockCounts> =>
  countBlocks(await readCounters(coarseBucketPartition), cells);

/** How many versions of some cells there are in each fine block of a coarse one. */
export const readFineCounts = async (
  coarseBlock: number,
  cells: readonly Facet[],
): Promise<BlockCounts> => countBlocks(await readCounters(toFinePartition(coarseBlock)), cells);

/** How many there are in all. */
export const sumCounts = (counts: BlockCounts): number =>
  [...counts.values()].reduce((sum, count) => sum + count, 0);
