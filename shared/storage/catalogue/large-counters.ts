import { secondMs } from '../../util/duration.ts';
import {
  isSummaryKey,
  largeBucketPartition,
  readBucket,
  readSummaryPartition,
} from './catalogue-keys.ts';
import {
  type BucketCounts,
  type CounterItem,
  countByBucket,
  listCounting,
  readCount,
  readCounters,
} from './counters.ts';
import type { Facet } from './facets.ts';
import { type CatalogueLayout, findPiece } from './layout.ts';

/** Counters of all large buckets and the summaries of partitions, from one read. */
export interface LargeCounters {
  /** Shards that no summary contains: those that exist, and the copies of those that are gone. */
  readonly shards: readonly CounterItem[];
  /** Summaries by partition. */
  readonly summaries: ReadonlyMap<number, CounterItem>;
}

/** Reads the counters of all large buckets. The answer is small at any size, because summaries replace old counters. */
export const readLargeCounters = async (): Promise<LargeCounters> => {
  const counting = listCounting(await readCounters(largeBucketPartition));
  const summaries = counting.filter(isSummaryKey);
  return {
    shards: counting.filter((counter) => !isSummaryKey(counter)),
    summaries: new Map(summaries.map((summary) => [readSummaryPartition(summary), summary])),
  };
};

/** Returns the partition of a large bucket. */
export const findPartitionOf = (
  bucket: number,
  { partitionBits, largeBucketBits }: CatalogueLayout,
): number => findPiece(bucket, partitionBits - largeBucketBits);

/** Returns the number of versions of some facets in each partition. */
export const countByPartition = (
  { shards, summaries }: LargeCounters,
  facets: readonly Facet[],
  layout: CatalogueLayout,
): BucketCounts => {
  const counts = new Map<number, number>();
  const add = (partition: number, count: number): void => {
    counts.set(partition, (counts.get(partition) ?? 0) + count);
  };
  for (const [partition, summary] of summaries) {
    add(
      partition,
      facets.reduce((sum, facet) => sum + readCount(summary, facet), 0),
    );
  }
  for (const [bucket, count] of countByBucket(shards, facets)) {
    add(findPartitionOf(bucket, layout), count);
  }
  return counts;
};

/** Returns the number of versions of some facets in each large bucket of a partition, without its summary. */
export const countOutsideSummary = (
  { shards }: LargeCounters,
  partition: number,
  { facets, layout }: { readonly facets: readonly Facet[]; readonly layout: CatalogueLayout },
): BucketCounts =>
  countByBucket(
    shards.filter((shard) => findPartitionOf(readBucket(shard), layout) === partition),
    facets,
  );

/** Part of the registry with versions: its large buckets, and the time of its last change in epoch milliseconds. */
export interface UsedRange {
  readonly firstBucket: number;
  readonly lastBucket: number;
  readonly changedAt: number;
}

const readChange = ({ d = 0 }: CounterItem): number => d * secondMs;

/** Returns the ranges of large buckets that have ever had versions: one for each summary, and one for each bucket. */
export const listUsedRanges = (
  { shards, summaries }: LargeCounters,
  layout: CatalogueLayout,
): UsedRange[] => [
  ...[...summaries].map(([partition, summary]) => {
    const firstBucket = partition * 2 ** (layout.partitionBits - layout.largeBucketBits);
    const lastBucket = summary.m ?? firstBucket;
    return { firstBucket, lastBucket, changedAt: readChange(summary) };
  }),
  ...shards.map((shard) => {
    const bucket = readBucket(shard);
    return { firstBucket: bucket, lastBucket: bucket, changedAt: readChange(shard) };
  }),
];
