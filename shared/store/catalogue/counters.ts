import { queryItems } from '../read.ts';
import { defineTable } from '../table.ts';
import { addToFields, updateItem, type Write } from '../write.ts';
import type { Cell } from './cells.ts';
import {
  type CatalogueKey,
  coarsePartition,
  readBlock,
  toCoarseKey,
  toFineKey,
  toFinePartition,
} from './keys.ts';
import { type CatalogueLayout, findPiece } from './layout.ts';
import type { CatalogueTarget } from './target.ts';

/** One shard of one counter: a count for each cell that ever had a version, and u, how often it was changed. */
export type CounterItem = CatalogueKey & { readonly u?: number } & Readonly<
    Record<Cell, number | string>
  >;

export const countersTable = defineTable<CounterItem>('catalogue');

/** How many versions match in each block of ordinals, in the order of the blocks. Blocks without any may be missing. */
export type BlockCounts = ReadonlyMap<number, number>;

/** By how much to change the count of some cells. */
export type CellChanges = Readonly<Record<Cell, number>>;

/** The block of a coarse counter, and the block of a fine counter within it. */
const findBlocks = (
  ordinal: number,
  { coarseBits, fineBits }: CatalogueLayout,
): { readonly coarse: number; readonly fine: number } => {
  const coarse = findPiece(ordinal, coarseBits);
  return { coarse, fine: findPiece(ordinal - coarse * 2 ** coarseBits, fineBits) };
};

/** An audit sees by u that nothing happened between two reads, where counts might have gone up and down again. */
const addToCounter = (key: CatalogueKey, changes: CellChanges): Write =>
  updateItem(countersTable, key, { change: addToFields({ ...changes, u: 1 }) });

/**
 * The writes that change the counts at an ordinal, both in one shard, so that writers seldom meet: who sees that a coarse
 * counter has no other shard than it had knows that of its fine ones.
 */
export const changeCounts = (
  ordinal: number,
  changes: CellChanges,
  { layout, shard, leave }: CatalogueTarget,
): Write[] => {
  const { coarse, fine } = findBlocks(ordinal, layout);
  return [
    addToCounter(toCoarseKey(coarse, shard), changes),
    addToCounter(toFineKey(coarse, fine, shard), changes),
  ].map((write) => ({ ...write, ...(leave && { onConflict: () => leave(shard) }) }));
};

const selectPartition = (partition: string) => ({
  KeyConditionExpression: 'p = :partition',
  ExpressionAttributeValues: { ':partition': partition },
});

/** The counters of a partition, every shard of every block, in the order of the blocks. */
export const readCounters = (partition: string): Promise<CounterItem[]> =>
  queryItems(countersTable, selectPartition(partition));

/** A counter's count of one cell. What is no number counts nothing. */
export const readCount = (counter: CounterItem, cell: Cell): number => {
  const count = counter[cell];
  return typeof count === 'number' ? count : 0;
};

/** The counts of some cells, summed over the shards of each block. */
const countBlocks = (counters: readonly CounterItem[], cells: readonly Cell[]): BlockCounts => {
  const counts = new Map<number, number>();
  for (const counter of counters) {
    const block = readBlock(counter);
    const count = cells.reduce((sum, cell) => sum + readCount(counter, cell), 0);
    counts.set(block, (counts.get(block) ?? 0) + count);
  }
  return counts;
};

/** How many versions of some cells there are in each coarse block. */
export const readCoarseCounts = async (cells: readonly Cell[]): Promise<BlockCounts> =>
  countBlocks(await readCounters(coarsePartition), cells);

/** How many versions of some cells there are in each fine block of a coarse one. */
export const readFineCounts = async (
  coarseBlock: number,
  cells: readonly Cell[],
): Promise<BlockCounts> => countBlocks(await readCounters(toFinePartition(coarseBlock)), cells);

/** How many there are in all. */
export const sumCounts = (counts: BlockCounts): number =>
  [...counts.values()].reduce((sum, count) => sum + count, 0);
