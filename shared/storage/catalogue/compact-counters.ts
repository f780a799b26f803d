import type { Deadline } from '../../util/deadline.ts';
import { groupBy } from '../../util/group-by.ts';
import { runInParallel } from '../../util/in-parallel.ts';
import { logEvent } from '../../util/log.ts';
import { readNewestSequenceNumber } from '../packages/submission-counter.ts';
import { absorbCounters, maxInlineBytes } from './absorb-counters.ts';
import {
  type CatalogueKey,
  isSummaryKey,
  largeBucketPartition,
  readBucket,
  readSummaryPartition,
  toSmallBucketKey,
  toSmallBucketPartition,
  toSummaryKey,
} from './catalogue-keys.ts';
import { compactCounter, isCompacted } from './compact-counter.ts';
import { type CounterItem, readCounters } from './counters.ts';
import { findPartitionOf } from './large-counters.ts';
import { type CatalogueLayout, defaultLayout } from './layout.ts';

interface FoldContext {
  readonly deadline: Deadline;
  readonly layout?: CatalogueLayout;
  /** Returns the time in epoch milliseconds. */
  readonly readClock?: () => number;
  /** Largest breakdown in a summary, in bytes. */
  readonly inlineBytes?: number;
}

/** Maximum number of counters in one run. */
const maxCounters = 200;
const countersAtATime = 8;

/** Minimum remaining time in milliseconds to start further work. The next run continues. */
const reserveMs = 10_000;

/** Number of closed large buckets in one shard from which they move into summaries. Fewer cost lists nothing. */
const minReady = 24;

/** Counter that has several shards. */
interface SpreadCounter {
  readonly shards: readonly CounterItem[];
  /** Key of the first shard. */
  readonly key: CatalogueKey;
}

/** Runs a step for one counter; false if it failed. A failure does not affect other counters. */
const tryStep = async ({ p, o }: CatalogueKey, step: () => Promise<void>): Promise<boolean> => {
  try {
    await step();
    return true;
  } catch (error) {
    logEvent('error', 'counter_not_folded', { counter: `${p} ${o}`, error });
    return false;
  }
};

/** Returns the counters of small buckets in a large bucket that have several shards and receive no new versions. */
const listSpread = async (
  bucket: number,
  newest: number,
  { largeBucketBits, smallBucketBits }: CatalogueLayout,
): Promise<SpreadCounter[]> => {
  const counters = await readCounters(toSmallBucketPartition(bucket));
  const start = bucket * 2 ** largeBucketBits;
  return [...groupBy(counters, readBucket)]
    .filter(
      ([smallBucket, shards]) =>
        start + (smallBucket + 1) * 2 ** smallBucketBits <= newest && !isCompacted(shards),
    )
    .map(([smallBucket, shards]) => ({ shards, key: toSmallBucketKey(bucket, smallBucket, 0) }));
};

/** Large bucket and its shards, which were read before its small buckets. */
interface LargeBucket {
  readonly bucket: number;
  readonly shards: readonly CounterItem[];
}

/** Returns the items rotated to a random start, so that no item is always the last of an interrupted run. */
const beginAnywhere = <T>(items: readonly T[]): T[] => {
  const start = Math.floor(Math.random() * items.length);
  return [...items.slice(start), ...items.slice(0, start)];
};

const isSpread = ({ shards }: LargeBucket): boolean => !isCompacted(shards);

/** True if lists read less after the counters of these large buckets moved into summaries. */
const isWorthwhile = (ready: readonly LargeBucket[]): boolean =>
  ready.length >= minReady || ready.some(isSpread);

/** Returns the partitions whose summaries have a next step. */
const listPartitions = (
  counters: readonly CounterItem[],
  ready: readonly LargeBucket[],
  layout: CatalogueLayout,
) => {
  const summaries = new Map(
    counters
      .filter(isSummaryKey)
      .map((summary) => [readSummaryPartition(summary), summary] as const),
  );
  const toPartition = (bucket: number): number => findPartitionOf(bucket, layout);
  const shards = groupBy(
    counters.filter((counter) => !isSummaryKey(counter)),
    (shard) => toPartition(readBucket(shard)),
  );
  const readyShards = groupBy(
    ready.flatMap((bucket) => bucket.shards),
    (shard) => toPartition(readBucket(shard)),
  );
  return [...new Set([...summaries.keys(), ...shards.keys()])]
    .map((partition) => ({
      partition,
      summary: summaries.get(partition),
      shards: shards.get(partition) ?? [],
      ready: isWorthwhile(ready) ? (readyShards.get(partition) ?? []) : [],
    }))
    .filter((one) => one.summary?.f !== undefined || one.ready.length > 0);
};

/**
 * Compacts counters of buckets without new versions, one step for each counter. Time and number of counters are
 * bounded. First, shards of small buckets become one. Then the shards of a large bucket move into the summary of the
 * partition. The shards of a large bucket are read before its small buckets, so
 * that a later decision changes them and prevents this. A large bucket that has only the first shard has no small
 * buckets with more.
 * @throws {Error} after all counters, if some failed
 */
export const compactCounters = async ({
  deadline,
  layout = defaultLayout,
  readClock = Date.now,
  inlineBytes = maxInlineBytes,
}: FoldContext): Promise<void> => {
  const newest = (await readNewestSequenceNumber()) ?? 0;
  const counters = await readCounters(largeBucketPartition);
  const shardsByBucket = groupBy(
    counters.filter((counter) => !isSummaryKey(counter)),
    readBucket,
  );
  const buckets = [...shardsByBucket].map(([bucket, shards]) => ({ bucket, shards }));
  const isClosed = ({ bucket }: LargeBucket): boolean =>
    (bucket + 1) * 2 ** layout.largeBucketBits <= newest;
  const ready = buckets.filter((one) => isClosed(one) && !isSpread(one));
  const outcomes: boolean[] = [];
  const mayGoOn = (): boolean =>
    outcomes.length < maxCounters && deadline.remainingMs() >= reserveMs;
  for (const one of beginAnywhere(buckets.filter(isSpread))) {
    if (!mayGoOn()) break;
    const work = await listSpread(one.bucket, newest, layout);
    if (work.length === 0 && isClosed(one)) ready.push(one);
    const steps = await runInParallel(
      work.slice(0, maxCounters - outcomes.length),
      countersAtATime,
      ({ shards, key }) => tryStep(key, () => compactCounter(shards, key, readClock)),
    );
    outcomes.push(...steps);
  }
  for (const partition of beginAnywhere(listPartitions(counters, ready, layout))) {
    if (!mayGoOn()) break;
    const step = () => absorbCounters(partition, { layout, deadline, readClock, inlineBytes });
    outcomes.push(await tryStep(toSummaryKey(partition.partition), step));
  }
  const failed = outcomes.filter((isFine) => !isFine).length;
  if (failed > 0) throw new Error(`${failed} counters were not folded; the log names them`);
};
