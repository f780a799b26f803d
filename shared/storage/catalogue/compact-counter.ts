import { addToFields, deleteItem, ifUnchanged, updateItem, type Write } from '../dynamodb/write.ts';
import { deleteAlone, updateAlone } from '../dynamodb/write-alone.ts';
import { type CatalogueKey, readShard } from './catalogue-keys.ts';
import { type CounterItem, countersTable, isCountable, nameShard, sumShards } from './counters.ts';
import type { Facet } from './facets.ts';

/**
 * Pause between the steps of a compaction, in milliseconds.
 * A counter is compacted into its first shard while writes and reads continue. A query in progress may see each shard
 * before or after a step. So there are three steps, none of which changes the sum:
 * 1. The first shard receives copies of the others. A copy counts only if its shard is absent.
 * 2. Shards that are unchanged since they were copied are deleted.
 * 3. The first shard adds the copies of deleted shards to its own counts.
 * The pause outlasts any query and any write attempt. An interrupted compaction leaves a correct counter, and the next
 * run continues.
 */
const pauseMs = 30_000;

class ShardChangedError extends Error {
  override readonly name = 'ShardChangedError';

  constructor() {
    super('Somebody else was at work on the counter');
  }
}

const refuse = (): Error => new ShardChangedError();

/** Returns the guard that these attributes of a shard are unchanged. */
export const isStill = (shard: CounterItem | undefined, fields: readonly string[]) => ({
  ...ifUnchanged(shard, fields),
  refuse,
});

/** Returns true if the write succeeded, and false if another worker changed the shard first. */
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
    // The first shard counts all of its changes, so that a late write fails.
    guard: isStill(first, ['p', 'u']),
  });

/** Returns the write that records the time of the deletion of copied shards, before the deletion. */
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
  const change = addToFields({ ...sumPresent(gone), u: 1 });
  return updateItem(countersTable, key, {
    change: { ...change, UpdateExpression: `${change.UpdateExpression} REMOVE f, t` },
    guard: isStill(first, ['t']),
  });
};

/** Returns the sums of some shards that are not zero, by facet. */
export const sumPresent = (shards: readonly CounterItem[]): Readonly<Record<Facet, number>> =>
  Object.fromEntries([...sumShards(shards)].filter(([, count]) => count !== 0));

/** True if only the first shard of a counter exists, and no compaction is in progress. */
export const isCompacted = (shards: readonly CounterItem[]): boolean =>
  shards.every((shard) => readShard(shard) === 0 && shard.f === undefined);

/** Shards to compact into one item. */
interface Compaction {
  /** The item that receives the counts, and its key. */
  readonly key: CatalogueKey;
  readonly first: CounterItem | undefined;
  /** All other shards that the first one can have copies of. */
  readonly others: readonly CounterItem[];
  /** The shards that a new compaction copies. */
  readonly chosen: readonly CounterItem[];
  /** Adds the copies of shards that are gone to the first one. */
  readonly add: (first: CounterItem, gone: readonly CounterItem[]) => Promise<void>;
}

/** Runs the next step of a compaction. */
export const compactInto = async (
  { key, first, others, chosen, add }: Compaction,
  readClock: () => number,
): Promise<void> => {
  if (!first?.f) {
    if (chosen.length === 0) return;
    await writeUnlessChanged(updateAlone(copyShards(key, { first, others: chosen }, readClock())));
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
  await writeUnlessChanged(add(first, gone));
};

/**
 * Runs the next step of a counter's compaction, where `key` is the key of the first shard. Skips broken counters, which
 * the integrity check must repair first.
 */
export const compactCounter = async (
  shards: readonly CounterItem[],
  key: CatalogueKey,
  readClock: () => number,
): Promise<void> => {
  if (isCompacted(shards) || !shards.every(isCountable)) return;
  const first = shards.find((shard) => readShard(shard) === 0);
  const others = shards.filter((shard) => shard !== first);
  const add = (seen: CounterItem, gone: readonly CounterItem[]): Promise<void> =>
    updateAlone(addCopies(key, { first: seen, gone }));
  await compactInto({ key, first, others, chosen: others, add }, readClock);
};
