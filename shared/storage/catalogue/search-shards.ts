import { findSearchShard } from './catalogue-keys.ts';
import type { Facet } from './facets.ts';
import {
  countByPartition,
  findPartitionOf,
  type LargeCounters,
  listUsedRanges,
} from './large-counters.ts';
import type { CatalogueLayout } from './layout.ts';
import type { RangeRead } from './read-range.ts';

/**
 * Age in milliseconds from which a change is in every eventually consistent read. DynamoDB needs about a second. A
 * change has the time at which its writer began, and no request is answered after half a minute.
 */
const quietMs = 30_000;

/** True if the last change is so long ago that an eventually consistent read at this time contains it. */
export const isQuiet = (changedAt: number, readAt: number): boolean =>
  changedAt + quietMs <= readAt;

/**
 * Returns the shards of search rows with versions that match a filter, and the time of the last change of each, in
 * epoch milliseconds.
 */
export const findShards = (
  counters: LargeCounters,
  facets: readonly Facet[],
  layout: CatalogueLayout,
): Map<number, number> => {
  const counts = countByPartition(counters, facets, layout);
  const shards = new Map<number, number>();
  for (const { firstBucket, lastBucket, changedAt } of listUsedRanges(counters, layout)) {
    if ((counts.get(findPartitionOf(firstBucket, layout)) ?? 0) <= 0) continue;
    const size = 2 ** layout.largeBucketBits;
    const last = findSearchShard((lastBucket + 1) * size - 1, layout);
    for (let shard = findSearchShard(firstBucket * size, layout); shard <= last; shard += 1) {
      shards.set(shard, Math.max(changedAt, shards.get(shard) ?? 0));
    }
  }
  return shards;
};

/**
 * True if the rows of a read contain all changes before the start of a search. These are strongly consistent reads of
 * this search, and all reads long after the last change.
 */
export const isComplete = (
  { shard, eventual, readAt }: RangeRead,
  shards: ReadonlyMap<number, number>,
  began: number,
): boolean => {
  const changedAt = shards.get(shard);
  // Rows of a shard without matches are not needed.
  if (changedAt === undefined) return false;
  return (!eventual && readAt >= began) || isQuiet(changedAt, readAt);
};
