import type { Deadline } from '../../util/deadline.ts';
import { transact } from '../dynamodb/transact.ts';
import { addToFields, putItem, updateItem } from '../dynamodb/write.ts';
import {
  addToBreakdown,
  type Breakdown,
  breakdownsTable,
  findBreakdown,
  hasBreakdownItem,
  packBreakdown,
  readBreakdownItem,
} from './breakdown.ts';
import { readBucket, toBreakdownKey, toSummaryKey } from './catalogue-keys.ts';
import { compactInto, isStill, sumPresent } from './compact-counter.ts';
import { type CounterItem, countersTable, isCountable, makeShardId } from './counters.ts';
import { allFacets } from './facets.ts';
import type { CatalogueLayout } from './layout.ts';

/** Most shards that one compaction copies into a summary, because every list reads the copies. */
const maxCopies = 32;

/** Largest breakdown in a summary, because every list reads it: about 50 large buckets, or 1.7 million versions. */
export const maxInlineBytes = 1200;

/** One partition's counters of large buckets. */
interface PartitionCounters {
  readonly partition: number;
  readonly summary: CounterItem | undefined;
  /** All shards of its large buckets. */
  readonly shards: readonly CounterItem[];
  /** Shards that a new compaction may move to the summary. */
  readonly ready: readonly CounterItem[];
}

interface AbsorbContext {
  readonly layout: CatalogueLayout;
  readonly deadline: Deadline;
  readonly readClock: () => number;
  /** Largest breakdown in a summary, in bytes. */
  readonly inlineBytes: number;
}

const findHighest = (numbers: readonly (number | undefined)[]): number =>
  Math.max(0, ...numbers.map((number = 0) => number));

const readCurrent = async (
  { partition, summary }: PartitionCounters,
  layout: CatalogueLayout,
): Promise<Breakdown> => {
  const item = hasBreakdownItem(summary) ? await readBreakdownItem(partition) : undefined;
  const breakdown = findBreakdown(summary, item, layout);
  if (!breakdown) throw new Error(`The breakdown of summary ${partition} is lost or damaged`);
  return breakdown;
};

/** Returns the writes that replace the breakdown of a summary: in the summary if it is small. */
const putBreakdown = (
  partition: number,
  { generation, breakdown }: { readonly generation: string; readonly breakdown: Breakdown },
  inlineBytes: number,
) => {
  const packed = packBreakdown(breakdown);
  const isSmall = packed.x.length <= inlineBytes;
  return {
    assignments: isSmall ? ', k = :k, x = :x' : '',
    removals: isSmall ? '' : ', k, x',
    values: isSmall ? { ':k': packed.k, ':x': packed.x } : {},
    writes: isSmall
      ? []
      : [putItem(breakdownsTable, { ...toBreakdownKey(partition), ...packed, g: generation })],
  };
};

/** Adds shards that are gone to the summary and its breakdown. */
const addToSummary = async (
  counters: PartitionCounters,
  gone: readonly CounterItem[],
  { layout, deadline, inlineBytes }: AbsorbContext,
): Promise<void> => {
  const { partition, summary } = counters;
  const before = await readCurrent(counters, layout);
  const generation = makeShardId();
  const breakdown = addToBreakdown(before, gone, { facets: allFacets, layout });
  const { assignments, removals, values, writes } = putBreakdown(
    partition,
    { generation, breakdown },
    inlineBytes,
  );
  const change = addToFields({ ...sumPresent(gone), u: 1 });
  const update = updateItem(countersTable, toSummaryKey(partition), {
    change: {
      ...change,
      UpdateExpression: `${change.UpdateExpression} SET g = :g, d = :d, m = :m${assignments} REMOVE f, t${removals}`,
      ExpressionAttributeValues: {
        ...change.ExpressionAttributeValues,
        ':g': generation,
        ':d': findHighest([summary?.d, ...gone.map(({ d }) => d)]),
        ':m': findHighest([summary?.m, ...gone.map(readBucket)]),
        ...values,
      },
    },
    guard: isStill(summary, ['t', 'g']),
  });
  await transact([update, ...writes], deadline);
};

/**
 * Runs the next step of moving the counters of large buckets into the summary of their partition. A summary works like
 * the first shard of a counter: its copies count only if their shards are absent. Skips broken counters, which the
 * integrity check must repair first.
 */
export const absorbCounters = async (
  counters: PartitionCounters,
  context: AbsorbContext,
): Promise<void> => {
  const { partition, summary, shards, ready } = counters;
  if (summary && !isCountable(summary)) return;
  const chosen = ready.filter(isCountable).slice(0, maxCopies);
  const add = (_: CounterItem, gone: readonly CounterItem[]): Promise<void> =>
    addToSummary(counters, gone, context);
  await compactInto(
    { key: toSummaryKey(partition), first: summary, others: shards, chosen, add },
    context.readClock,
  );
};
