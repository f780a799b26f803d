import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { tableName } from '../../config/env.ts';
import { dynamodb } from '../dynamodb.ts';
import { queryItems } from '../query-items.ts';
import type { Write } from '../transact.ts';
import type { Cell } from './cells.ts';
import {
  blockOfCounter,
  type CatalogueKey,
  coarseKey,
  coarsePartition,
  fineKey,
  finePartition,
} from './keys.ts';
import { type CatalogueLayout, pieceOf } from './layout.ts';

/** One shard of one counter: a count for each cell that ever had a version, and u, how often it was changed. */
export type CounterItem = CatalogueKey & { readonly u?: number } & Readonly<
    Record<Cell, number | string>
  >;

/** How many versions match in each block of ordinals, in the order of the blocks. Blocks without any may be missing. */
export type BlockCounts = ReadonlyMap<number, number>;

/** By how much to change the count of some cells. */
export type CellChanges = Readonly<Record<Cell, number>>;

/** The block of a coarse counter, and the block of a fine counter within it. */
export const blocksOf = (
  ordinal: number,
  { coarseBits, fineBits }: CatalogueLayout,
): { readonly coarse: number; readonly fine: number } => {
  const coarse = pieceOf(ordinal, coarseBits);
  return { coarse, fine: pieceOf(ordinal - coarse * 2 ** coarseBits, fineBits) };
};

const addTo = (key: CatalogueKey, changes: CellChanges): Write => {
  // An audit sees by u that nothing happened between two reads, where counts might have gone up and down again.
  const cells = Object.entries({ ...changes, u: 1 });
  return {
    operation: {
      Update: {
        TableName: tableName('catalogue'),
        Key: key,
        UpdateExpression: `ADD ${cells.map(([cell]) => `#${cell} :${cell}`).join(', ')}`,
        ExpressionAttributeNames: Object.fromEntries(cells.map(([cell]) => [`#${cell}`, cell])),
        ExpressionAttributeValues: Object.fromEntries(cells.map(([cell, by]) => [`:${cell}`, by])),
      },
    },
  };
};

/** The writes that change the counts at an ordinal. Each goes to one shard, so that writers seldom meet. */
export const countWrites = (
  ordinal: number,
  changes: CellChanges,
  { layout, shard }: { readonly layout: CatalogueLayout; readonly shard: number },
): Write[] => {
  const { coarse, fine } = blocksOf(ordinal, layout);
  return [addTo(coarseKey(coarse, shard), changes), addTo(fineKey(coarse, fine, shard), changes)];
};

/** The counters of a partition, every shard of every block, in the order of the blocks. */
export const readCounters = async (partition: string): Promise<CounterItem[]> => {
  const items = await queryItems({
    TableName: tableName('catalogue'),
    KeyConditionExpression: 'p = :partition',
    ExpressionAttributeValues: { ':partition': partition },
  });
  return items as unknown as CounterItem[];
};

/** A counter's count of one cell. */
export const countOf = (counter: CounterItem, cell: Cell): number => Number(counter[cell] ?? 0);

/** The counts of some cells, summed over the shards of each block. */
export const countBlocks = (
  counters: readonly CounterItem[],
  cells: readonly Cell[],
): BlockCounts => {
  const counts = new Map<number, number>();
  for (const counter of counters) {
    const block = blockOfCounter(counter);
    const count = cells.reduce((sum, cell) => sum + countOf(counter, cell), 0);
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
): Promise<BlockCounts> => countBlocks(await readCounters(finePartition(coarseBlock)), cells);

/** How many there are in all. */
export const totalOf = (counts: BlockCounts): number =>
  [...counts.values()].reduce((sum, count) => sum + count, 0);

/** The last coarse block that any submission reached; -1 if there was none. One read, of one item. */
export const readLastCoarseBlock = async (): Promise<number> => {
  const { Items } = await dynamodb.send(
    new QueryCommand({
      TableName: tableName('catalogue'),
      KeyConditionExpression: 'p = :partition',
      ExpressionAttributeValues: { ':partition': coarsePartition },
      ConsistentRead: true,
      ScanIndexForward: false,
      Limit: 1,
    }),
  );
  const [last] = (Items ?? []) as unknown as CounterItem[];
  return last ? blockOfCounter(last) : -1;
};
