import { createDeadline, type Deadline } from '../../util/deadline.ts';
import { groupBy } from '../../util/group-by.ts';
import { exponentialDelay, retry } from '../../util/retry.ts';
import {
  type CatalogueKey,
  coarseBucketPartition,
  readBlock,
  toCoarseKey,
  toFineKey,
  toFinePartition,
} from '../catalogue/catalogue-keys.ts';
import {
  type CounterItem,
  type FacetCounts,
  readCounters,
  sumShards,
} from '../catalogue/counters.ts';
import { type CatalogueLayout, findPiece } from '../catalogue/layout.ts';
import { oldestFirst } from '../catalogue/order.ts';
import { readRows } from '../catalogue/read-rows.ts';
import { type BrowseRow, readFacet, readSequenceNumber } from '../catalogue/rows.ts';
import { lowerSequenceCounter } from './check-ordinals.ts';
import { findHighestSequenceNumber, findNextBlock } from './coarse-blocks.ts';
import { countFacets, isSound, isUntouched, replaceShards } from './counter-shards.ts';
import type { CheckContext } from './tally.ts';

/** How long the counters of one block are read again while writers change them. */
const blockMs = 10_000;
const delayMs = exponentialDelay({ firstMs: 40, longestMs: 500 });

/** A writer changed a counter while it was checked. */
class CounterBusyError extends Error {
  override readonly name = 'CounterBusyError';
}

interface BlockContext extends CheckContext {
  /** Ends the wait for a moment without writers. */
  readonly blockDeadline: Deadline;
}

/** One counter: its shards, and what they must add up to. Both are read anew for each attempt to judge it. */
interface AuditedCounter {
  readonly name: string;
  readonly keyOf: (shard: number) => CatalogueKey;
  readonly readShards: () => Promise<CounterItem[]>;
  readonly readTruth: () => Promise<FacetCounts>;
}

/** A counter that was found wrong and left so. */
interface Misjudged {
  readonly shards: readonly CounterItem[];
  readonly counts: FacetCounts;
}

/** What became of a counter: right (or made right), wrong and left so, or too busy to tell. */
type Verdict = 'right' | 'unjudged' | Misjudged;

/** Judges a counter by what it must be, read between two looks at its shards that show no writer at work. */
const checkCounterOnce = async (
  counter: AuditedCounter,
  context: BlockContext,
): Promise<Verdict> => {
  const shards = await counter.readShards();
  const counts = await counter.readTruth();
  if (!isUntouched(shards, await counter.readShards())) throw new CounterBusyError();
  if (isSound(shards, counts)) return 'right';
  const isReplaced =
    context.repair &&
    (await replaceShards(shards, { keyOf: counter.keyOf, counts }, context.deadline));
  // A writer came between: what was seen may have been only half of what it did.
  if (context.repair && !isReplaced) throw new CounterBusyError();
  context.tally.find('wrong_counter', counter.name);
  if (!isReplaced) return { shards, counts };
  context.tally.repair(1);
  return 'right';
};

/** Judges a counter, and does so again while writers are at work, which leave moments between them. */
const checkCounter = async (counter: AuditedCounter, context: BlockContext): Promise<Verdict> => {
  try {
    return await retry(() => checkCounterOnce(counter, context), {
      ...{ delayMs, jitter: 1, deadline: context.blockDeadline },
      isRetryable: (error) => error instanceof CounterBusyError,
    });
  } catch (error) {
    if (!(error instanceof CounterBusyError)) throw error;
    context.tally.leaveUnjudged();
    return 'unjudged';
  }
};

const readRange = (from: number, to: number, layout: CatalogueLayout): Promise<BrowseRow[]> =>
  readRows(
    { order: oldestFirst },
    { partition: findPiece(from, layout.partitionBits), from, to, count: to - from + 1 },
  );

const pickBlock = (counters: readonly CounterItem[], block: number): CounterItem[] =>
  counters.filter((counter) => readBlock(counter) === block);

/** The fine blocks of a coarse one whose counters and rows, read once for all, do not plainly agree. */
const findDoubtfulBlocks = async (
  coarse: number,
  { layout, tally }: CheckContext,
): Promise<number[]> => {
  const { coarseBits, fineBits } = layout;
  const start = coarse * 2 ** coarseBits;
  const counters = await readCounters(toFinePartition(coarse));
  const rows = await readRange(start, start + 2 ** coarseBits - 1, layout);
  const rowsByBlock = groupBy(rows, (row) => findPiece(readSequenceNumber(row) - start, fineBits));
  const blocks = [...new Set([...rowsByBlock.keys(), ...counters.map(readBlock)])];
  tally.check('counters', blocks.length + 1);
  return blocks.filter((block) => {
    const shards = pickBlock(counters, block);
    const counts = countFacets((rowsByBlock.get(block) ?? []).map(readFacet));
    return !isSound(shards, counts);
  });
};

const describeFineCounter = (
  coarse: number,
  { fine, layout }: { fine: number; layout: CatalogueLayout },
): AuditedCounter => {
  const from = coarse * 2 ** layout.coarseBits + fine * 2 ** layout.fineBits;
  const to = from + 2 ** layout.fineBits - 1;
  return {
    name: `ordinals ${from} to ${to}`,
    keyOf: (shard) => toFineKey(coarse, fine, shard),
    readShards: async () => pickBlock(await readCounters(toFinePartition(coarse)), fine),
    readTruth: async () => countFacets((await readRange(from, to, layout)).map(readFacet)),
  };
};

const correctCounts = (counts: FacetCounts, wrong: readonly Misjudged[]): FacetCounts => {
  const right = new Map(counts);
  for (const { shards, counts: must } of wrong) {
    for (const [cell, count] of sumShards(shards)) {
      right.set(cell, (right.get(cell) ?? 0) - count + (must.get(cell) ?? 0));
    }
  }
  return right;
};

/** A coarse counter is judged by the fine ones, which have been judged by the rows: a wrong one by what it must be. */
const describeCoarseCounter = (coarse: number, wrong: readonly Misjudged[]): AuditedCounter => ({
  name: `coarse block ${coarse}`,
  keyOf: (shard) => toCoarseKey(coarse, shard),
  readShards: async () => pickBlock(await readCounters(coarseBucketPartition), coarse),
  readTruth: async () =>
    correctCounts(sumShards(await readCounters(toFinePartition(coarse))), wrong),
});

/** Compares the counters of one coarse block with its rows. */
const checkBlock = async (block: number, context: BlockContext): Promise<void> => {
  const { layout, tally } = context;
  const verdicts: Verdict[] = [];
  for (const fine of await findDoubtfulBlocks(block, context)) {
    verdicts.push(await checkCounter(describeFineCounter(block, { fine, layout }), context));
  }
  // By what is not known nothing can be judged.
  if (verdicts.includes('unjudged')) tally.leaveUnjudged();
  else {
    const wrong = verdicts.filter((verdict) => typeof verdict === 'object');
    await checkCounter(describeCoarseCounter(block, wrong), context);
  }
};

/**
 * Compares the counters of the first coarse block from `from` on with its rows, and after the last one the counter of
 * ordinals.
 * @returns where the next block may be; undefined after the last one
 */
export const checkCounters = async (
  from: number,
  context: CheckContext,
): Promise<number | undefined> => {
  const { layout } = context;
  const block = await findNextBlock(from);
  if (block === undefined) {
    await lowerSequenceCounter(await findHighestSequenceNumber(layout), context);
    return undefined;
  }
  await checkBlock(block, { ...context, blockDeadline: createDeadline(blockMs) });
  return block + 1;
};
