import { type BucketCounts, sumCounts } from './counters.ts';
import type { Order } from './order.ts';

/** Start of a page: the match after `skip` others, counted from sequence number `from` in list order. */
export interface Position {
  readonly from: number;
  readonly skip: number;
}

/** Bucket or partition that contains the start of a page, and the number of its matches before the start. */
export interface BucketPosition {
  readonly bucket: number;
  readonly skip: number;
}

/** Returns the bucket that contains the match after `skip` others, in list order. */
export const findBucket = (counts: BucketCounts, skip: number, order: Order): BucketPosition => {
  const buckets = [...counts.keys()].sort(order.compare);
  let left = skip;
  for (const bucket of buckets) {
    const count = counts.get(bucket) ?? 0;
    if (left < count) return { bucket, skip: left };
    left -= count;
  }
  // A decision between two reads removed the match: the page starts after the last one.
  const last = buckets.at(-1) ?? 0;
  return { bucket: last, skip: left + (counts.get(last) ?? 0) };
};

/** Returns the partitions that have matches, in list order. */
export const findPartitions = (counts: BucketCounts, order: Order): number[] =>
  [...counts]
    .filter(([, count]) => count > 0)
    .map(([partition]) => partition)
    .sort(order.compare);

/**
 * Returns a total that agrees with the page. Counts and rows are read at different times, between which a write may
 * occur. The
 * page gives a lower bound of the total, and an upper bound if it is not full.
 */
export const reconcileTotal = (
  counts: BucketCounts,
  { offset, limit }: { readonly offset: number; readonly limit: number },
  shown: number,
): number => {
  const counted = sumCounts(counts);
  if (shown === limit) return Math.max(counted, offset + shown);
  return shown > 0 ? offset + shown : Math.min(counted, offset);
};
