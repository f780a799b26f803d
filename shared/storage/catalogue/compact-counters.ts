import type { Deadline } from '../../util/deadline.ts';
import { groupBy } from '../../util/group-by.ts';
import { runInParallel } from '../../util/in-parallel.ts';
import { logEvent } from '../../util/log.ts';
import { readNewestSequenceNumber } from '../packages/submission-counter.ts';
import {
  type CatalogueKey,
  largeBucketPartition,
  readBucket,
  toLargeBucketKey,
  toSmallBucketKey,
  toSmallBucketPartition,
} from './catalogue-keys.ts';
import { compactCounter, isCompacted } from './compact-counter.ts';
import { type CounterItem, readCounters } from './counters.ts';
import { type CatalogueLayout, defaultLayout } from './layout.ts';

interface FoldContext {
  readonly deadline: Deadline;
  readonly layout?: CatalogueLayout;
  /** Returns the time in epoch milliseconds. */
  readonly readClock?: () => number;
}

/** Maximum number of counters in one run. */
const maxCounters = 200;
const countersAtATime = 8;

/** Minimum remaining time in milliseconds to start further work. The next run continues. */
const reserveMs = 10_000;

/** Counter that has several shards. */
interface SpreadCounter {
  readonly shards: readonly CounterItem[];
  /** Key of the first shard. */
  readonly key: CatalogueKey;
}

/** Runs a compaction step for one counter; false if it failed. A failure does not affect other counters. */
const tryToFold = async (
  { shards, key }: SpreadCounter,
  readClock: () => number,
): Promise<boolean> => {
  try {
    await compactCounter(shards, key, readClock);
    return true;
  } catch (error) {
    logEvent('error', 'counter_not_folded', { counter: `${key.p} ${key.o}`, error });
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

/**
 * Returns the counters to compact for a large bucket. These are the counters of its small buckets, or its own counter
 * once all of those are compact. The shards of the large bucket were read first, so that a later decision changes them
 * and prevents their compaction.
 */
const listWork = async (
  { bucket, shards }: { readonly bucket: number; readonly shards: readonly CounterItem[] },
  newest: number,
  layout: CatalogueLayout,
): Promise<SpreadCounter[]> => {
  const smallCounters = await listSpread(bucket, newest, layout);
  const isClosed = (bucket + 1) * 2 ** layout.largeBucketBits <= newest;
  return smallCounters.length === 0 && isClosed
    ? [{ shards, key: toLargeBucketKey(bucket, 0) }]
    : smallCounters;
};

/** Returns the items rotated to a random start, so that no item is always the last of an interrupted run. */
const beginAnywhere = <T>(items: readonly T[]): T[] => {
  const start = Math.floor(Math.random() * items.length);
  return [...items.slice(start), ...items.slice(0, start)];
};

/**
 * Compacts counters of buckets without new versions, one step for each counter. Time and number of counters are
 * bounded. A large bucket whose counter has one shard needs no work.
 * @throws {Error} after all counters, if some failed
 */
export const compactCounters = async ({
  deadline,
  layout = defaultLayout,
  readClock = Date.now,
}: FoldContext): Promise<void> => {
  const newest = (await readNewestSequenceNumber()) ?? 0;
  const largeBuckets = groupBy(await readCounters(largeBucketPartition), readBucket);
  const spread = [...largeBuckets].filter(([, shards]) => !isCompacted(shards));
  let left = maxCounters;
  let failed = 0;
  for (const [bucket, shards] of beginAnywhere(spread)) {
    if (left <= 0 || deadline.remainingMs() < reserveMs) break;
    const work = (await listWork({ bucket, shards }, newest, layout)).slice(0, left);
    const folded = await runInParallel(work, countersAtATime, (counter) =>
      tryToFold(counter, readClock),
    );
    failed += folded.filter((isFine) => !isFine).length;
    left -= work.length;
  }
  if (failed > 0) throw new Error(`${failed} counters were not folded; the log names them`);
};
