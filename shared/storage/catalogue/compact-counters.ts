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
  /** The time in epoch milliseconds. */
  readonly readClock?: () => number;
}

/** How many counters one run works on at most. */
const maxCounters = 200;
const countersAtATime = 8;

/** Less time than this is not worth beginning with: the next run goes on. */
const reserveMs = 10_000;

/** One counter that is in several shards. */
interface SpreadCounter {
  readonly shards: readonly CounterItem[];
  /** That of its first shard. */
  readonly key: CatalogueKey;
}

/** Works on one counter; resolves to whether that went well. One that fails costs itself alone. */
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

/** The fine counters of a coarse block that are in several shards and to which no new version comes. */
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
 * The counters of a coarse block on which to work: the fine ones, and once all of these are folded, itself. Its shards were
 * read before the others: a decision that has come since changes them, so that they are not folded, and tell of it.
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

/** From anywhere to its beginning: whatever is left of one run, none is always the last. */
const beginAnywhere = <T>(items: readonly T[]): T[] => {
  const start = Math.floor(Math.random() * items.length);
  return [...items.slice(start), ...items.slice(0, start)];
};

/**
 * Folds counters of blocks to which no new version comes, each by one step, as far as time allows and for a bounded number
 * of them. A coarse counter that is in one shard tells that there is nothing to do in its block.
 * @throws {Error} where counters failed, after the others
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
