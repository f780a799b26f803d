import { maxCounterShards } from '../../api/resources.ts';
import type { Deadline } from '../../util/deadline.ts';
import { type CatalogueKey, readShard } from '../catalogue/catalogue-keys.ts';
import {
  type CounterItem,
  countersTable,
  type FacetCounts,
  isCountable,
  nameShard,
  sumShards,
} from '../catalogue/counters.ts';
import { allFacets, type Facet } from '../catalogue/facets.ts';
import { checkItem, deleteItem, ifUnchanged, putItem } from '../dynamodb/write.ts';
import { transactUnlessChanged } from './transact-unless-changed.ts';

/** How many of these cells there are of each. */
export const countFacets = (cells: readonly Facet[]): FacetCounts => {
  const counts = new Map<Facet, number>();
  for (const cell of cells) counts.set(cell, (counts.get(cell) ?? 0) + 1);
  return counts;
};

/** Whether shards add up to these counts, and each can go on counting. */
export const isSound = (shards: readonly CounterItem[], counts: FacetCounts): boolean => {
  const sums = sumShards(shards);
  return (
    shards.every(isCountable) &&
    allFacets.every((cell) => (sums.get(cell) ?? 0) === (counts.get(cell) ?? 0))
  );
};

/** Whether no writer has touched any shard between two reads. */
export const isUntouched = (
  before: readonly CounterItem[],
  after: readonly CounterItem[],
): boolean => {
  const updates = (shards: readonly CounterItem[]): string =>
    JSON.stringify(shards.map((shard) => [nameShard(shard), shard.u]).sort());
  return updates(before) === updates(after);
};

const countUpdates = (shard: CounterItem | undefined): number =>
  typeof shard?.u === 'number' ? shard.u : 0;

/** Holds while no writer has changed a shard since it was seen, or made it where there was none. */
const isUnchanged = (shard: CounterItem | undefined) => ifUnchanged(shard, ['p', 'i', 'u']);

/**
 * Replaces all shards of a counter by one that holds these counts, unless a writer changed any of them meanwhile: a
 * row changes only together with a shard, so the counts are still right where none has changed.
 */
export const replaceShards = (
  shards: readonly CounterItem[],
  { keyOf, counts }: { keyOf: (shard: number) => CatalogueKey; counts: FacetCounts },
  deadline: Deadline,
): Promise<boolean> => {
  const stored = new Map(shards.map((shard) => [readShard(shard), shard]));
  const first = stored.get(0);
  const present = [...counts].filter(([, count]) => count !== 0);
  const item = { ...keyOf(0), ...Object.fromEntries(present), u: countUpdates(first) + 1 };
  const possible = Array.from({ length: maxCounterShards }, (_, shard) => shard);
  const others = [...new Set([...possible, ...stored.keys()])].filter((shard) => shard !== 0);
  return transactUnlessChanged(
    [
      putItem(countersTable, item, isUnchanged(first)),
      ...others.map((number) => {
        const shard = stored.get(number);
        const write = shard ? deleteItem : checkItem;
        return write(countersTable, keyOf(number), isUnchanged(shard));
      }),
    ],
    deadline,
  );
};
