import type { Deadline } from '../../util/deadline.ts';
import { groupBy } from '../../util/group-by.ts';
import { runInParallel } from '../../util/in-parallel.ts';
import { logEvent } from '../../util/log.ts';
import { readNewestSequenceNumber } from '../packages/submission-counter.ts';
import {
  type CatalogueKey,
  coarseBucketPartition,
  readBlock,
  toCoarseKey,
  toFineKey,
  toFinePartition,
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

/** Returns the counters of fine buckets in a coarse bucket that have several shards and receive no new versions. */
const listSpread = async (
  block: number,
  newest: number,
  { coarseBits, fineBits }: CatalogueLayout,
): Promise<SpreadCounter[]> => {
  const counters = await readCounters(toFinePartition(block));
  const start = block * 2 ** coarseBits;
  return [...groupBy(counters, readBlock)]
    .filter(
      ([fine, shards]) => start + (fine + 1) * 2 ** fineBits <= newest && !isCompacted(shards),
    )
    .map(([fine, shards]) => ({ shards, key: toFineKey(block, fine, 0) }));
};

/**
 * Returns the counters of a coarse bucket to process: those of its fine buckets, or the counter of the coarse bucket once all of those are
 * compact. The coarse shards were read first, so that a later decision changes them and prevents their compaction.
 */
const listWork = async (
  { block, shards }: { readonly block: number; readonly shards: readonly CounterItem[] },
  newest: number,
  layout: CatalogueLayout,
): Promise<SpreadCounter[]> => {
  const fine = await listSpread(block, newest, layout);
  const isClosed = (block + 1) * 2 ** layout.coarseBits <= newest;
  return fine.length === 0 && isClosed ? [{ shards, key: toCoarseKey(block, 0) }] : fine;
};

/** Returns the items rotated to a random start, so that no item is always the last of an interrupted run. */
const beginAnywhere = <T>(items: readonly T[]): T[] => {
  const start = Math.floor(Math.random() * items.length);
  return [...items.slice(start), ...items.slice(0, start)];
};

/**
 * Compacts counters of buckets without new versions, one step for each counter. Time and number of counters are
 * bounded. A
 * coarse bucket with one shard shows that its bucket needs no work.
 * @throws {Error} after all counters, if some failed
 */
export const compactCounters = async ({
  deadline,
  layout = defaultLayout,
  readClock = Date.now,
}: FoldContext): Promise<void> => {
  const newest = (await readNewestSequenceNumber()) ?? 0;
  const coarse = groupBy(await readCounters(coarseBucketPartition), readBlock);
  const spread = [...coarse].filter(([, shards]) => !isCompacted(shards));
  let left = maxCounters;
  let failed = 0;
  for (const [block, shards] of beginAnywhere(spread)) {
    if (left <= 0 || deadline.remainingMs() < reserveMs) break;
    const work = (await listWork({ block, shards }, newest, layout)).slice(0, left);
    const folded = await runInParallel(work, countersAtATime, (counter) =>
      tryToFold(counter, readClock),
    );
    failed += folded.filter((isFine) => !isFine).length;
    left -= work.length;
  }
  if (failed > 0) throw new Error(`${failed} counters were not folded; the log names them`);
};
