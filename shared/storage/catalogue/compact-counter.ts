import { addToFields, deleteItem, ifUnchanged, updateItem, type Write } from '../dynamodb/write.ts';
import { deleteAlone, updateAlone } from '../dynamodb/write-alone.ts';
import { type CatalogueKey, readShard } from './catalogue-keys.ts';
import { type CounterItem, countersTable, isCountable, nameShard, sumShards } from './counters.ts';

/**
 * A counter is folded into its first shard while writers go on and readers read. A query that is under way may see each
 * shard as it was before a step or as it is after it, so there are three, none of which changes what they add up to:
 *
 * 1. The first shard takes copies of the others. A copy counts where its shard is not there.
 * 2. Those that are still as they were copied go.
 * 3. The first shard adds the copies of those that are gone to its own counts.
 *
 * Between two of them lies a pause that outlasts any query, and any attempt at a write. Whoever is stopped leaves a counter
 * that counts; the next run goes on where it is.
 */
const pauseMs = 30_000;

class ShardChangedError extends Error {
  override readonly name = 'ShardChangedError';

  constructor() {
    super('Somebody else was at work on the counter');
  }
}

const refuse = (): Error => new ShardChangedError();

/** Holds while a shard is as it was seen, in these attributes. */
const isStill = (shard: CounterItem | undefined, fields: readonly string[]) => ({
  ...ifUnchanged(shard, fields),
  refuse,
});

/** Resolves to whether it was written; it was not where somebody else came first, so that there may be nothing to do. */
const writeUnlessChanged = async (writing: Promise<void>): Promise<boolean> => {
  try {
    await writing;
    return true;
  } catch (error) {
    if (error instanceof ShardChangedError) return false;
    throw error;
  }
};

const copyShards = (
  key: CatalogueKey,
  { first, others }: { first: CounterItem | undefined; others: readonly CounterItem[] },
  nowMs: number,
): Write =>
  updateItem(countersTable, key, {
    change: {
      UpdateExpression: 'SET f = :copies, t = :now ADD u :one',
      ExpressionAttributeValues: { ':copies': others, ':now': nowMs, ':one': 1 },
    },
    // The first shard counts its changes for ever: who comes too late, comes for nothing.
    guard: isStill(first, ['p', 'u']),
  });

/** Says when copied shards go, before they do. */
const announceRemoval = (key: CatalogueKey, first: CounterItem, nowMs: number): Write =>
  updateItem(countersTable, key, {
    change: {
      UpdateExpression: 'SET t = :now ADD u :one',
      ExpressionAttributeValues: { ':now': nowMs, ':one': 1 },
    },
    guard: isStill(first, ['t']),
  });

const removeShard = (shard: CounterItem): Write =>
  deleteItem(countersTable, { p: shard.p, o: shard.o }, isStill(shard, ['p', 'i', 'u']));

const addCopies = (
  key: CatalogueKey,
  { first, gone }: { first: CounterItem; gone: readonly CounterItem[] },
): Write => {
  const present = [...sumShards(gone)].filter(([, count]) => count !== 0);
  const change = addToFields({ ...Object.fromEntries(present), u: 1 });
  return updateItem(countersTable, key, {
    change: { ...change, UpdateExpression: `${change.UpdateExpression} REMOVE f, t` },
    guard: isStill(first, ['t']),
  });
};

/** Whether a counter is in its first shard alone, and nothing is left to be done. */
export const isCompacted = (shards: readonly CounterItem[]): boolean =>
  shards.every((shard) => readShard(shard) === 0 && shard.f === undefined);

/** Goes on by one step with the fold of a counter, whose first shard has this key; the integrity check has to repair a broken one first. */
export const compactCounter = async (
  shards: readonly CounterItem[],
  key: CatalogueKey,
  readClock: () => number,
): Promise<void> => {
  if (isCompacted(shards) || !shards.every(isCountable)) return;
  const first = shards.find((shard) => readShard(shard) === 0);
  const others = shards.filter((shard) => shard !== first);
  if (!first?.f) {
    await writeUnlessChanged(updateAlone(copyShards(key, { first, others }, readClock())));
    return;
  }
  if (readClock() - (first.t ?? 0) < pauseMs) return;
  const copies = new Map(first.f.map((copy) => [nameShard(copy), copy]));
  const unchanged = others.filter((shard) => copies.get(nameShard(shard))?.u === shard.u);
  if (unchanged.length > 0) {
    const isOurs = await writeUnlessChanged(updateAlone(announceRemoval(key, first, readClock())));
    for (const shard of isOurs ? unchanged : []) {
      await writeUnlessChanged(deleteAlone(removeShard(shard)));
    }
    return;
  }
  const there = new Set(others.map(nameShard));
  const gone = first.f.filter((copy) => !there.has(nameShard(copy)));
  await writeUnlessChanged(updateAlone(addCopies(key, { first, gone })));
};
