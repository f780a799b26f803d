import type { Deadline } from '../../deadline.ts';
import { maxCounterShards } from '../../resources.ts';
import { allCells, type Cell } from '../catalogue/cells.ts';
import { type CounterItem, countersTable, readCount } from '../catalogue/counters.ts';
import { type CatalogueKey, readShard } from '../catalogue/keys.ts';
import { checkItem, deleteItem, putItem } from '../write.ts';
import { transactUnlessChanged } from './transact-unless-changed.ts';

/** How many versions each cell has. */
export type CellCounts = ReadonlyMap<Cell, number>;

export const countCells = (cells: readonly Cell[]): CellCounts => {
  const counts = new Map<Cell, number>();
  for (const cell of cells) counts.set(cell, (counts.get(cell) ?? 0) + 1);
  return counts;
};

export const sumShards = (shards: readonly CounterItem[]): CellCounts =>
  new Map(
    allCells.map((cell) => [cell, shards.reduce((sum, shard) => sum + readCount(shard, cell), 0)]),
  );

export const isSameCount = (one: CellCounts, other: CellCounts): boolean =>
  allCells.every((cell) => (one.get(cell) ?? 0) === (other.get(cell) ?? 0));

/** Whether no writer has touched any shard between two reads. */
export const isUntouched = (
  before: readonly CounterItem[],
  after: readonly CounterItem[],
): boolean => {
  const updates = (shards: readonly CounterItem[]): string =>
    JSON.stringify(shards.map((shard) => [readShard(shard), shard.u]).sort());
  return updates(before) === updates(after);
};

const expectUnchanged = (shard: CounterItem | undefined) => {
  if (!shard) return { ConditionExpression: 'attribute_not_exists(p)' };
  return shard.u === undefined
    ? { ConditionExpression: 'attribute_exists(p) AND attribute_not_exists(u)' }
    : { ConditionExpression: 'u = :u', ExpressionAttributeValues: { ':u': shard.u } };
};

/**
 * Replaces all shards of a counter by one that holds these counts, unless a writer changed any of them meanwhile: a
 * row changes only together with a shard, so the counts are still right where none has changed.
 */
export const replaceShards = (
  shards: readonly CounterItem[],
  { keyOf, counts }: { keyOf: (shard: number) => CatalogueKey; counts: CellCounts },
  deadline: Deadline,
): Promise<boolean> => {
  const stored = new Map(shards.map((shard) => [readShard(shard), shard]));
  const first = stored.get(0);
  const present = [...counts].filter(([, count]) => count !== 0);
  const item = { ...keyOf(0), ...Object.fromEntries(present), u: (first?.u ?? 0) + 1 };
  const possible = Array.from({ length: maxCounterShards }, (_, shard) => shard);
  const others = [...new Set([...possible, ...stored.keys()])].filter((shard) => shard !== 0);
  return transactUnlessChanged(
    [
      putItem(countersTable, item, expectUnchanged(first)),
      ...others.map((number) => {
        const shard = stored.get(number);
        const write = shard ? deleteItem : checkItem;
        return write(countersTable, keyOf(number), expectUnchanged(shard));
      }),
    ],
    deadline,
  );
};
