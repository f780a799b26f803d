import {
  type Breakdown,
  findBreakdown,
  hasBreakdownItem,
  readBreakdownItem,
} from '../catalogue/breakdown.ts';
import {
  isSummaryKey,
  largeBucketPartition,
  readBucket,
  toSummaryKey,
} from '../catalogue/catalogue-keys.ts';
import {
  type CounterItem,
  countersTable,
  isCountable,
  readCount,
  readCounters,
  readSeconds,
} from '../catalogue/counters.ts';
import { allFacets, type Facet } from '../catalogue/facets.ts';
import { findPartitionOf } from '../catalogue/large-counters.ts';
import type { CatalogueLayout } from '../catalogue/layout.ts';
import { ifUnchanged, putItem } from '../dynamodb/write.ts';
import {
  type Check,
  type CheckContext,
  ConflictError,
  makeProblem,
  transactIfUnchanged,
} from './check.ts';

/** Check of the summaries of counters against their breakdowns by large bucket. */

interface SummaryRead {
  readonly counters: readonly CounterItem[];
  readonly summary: CounterItem | undefined;
  /** Absent if it is lost, damaged or of another generation. */
  readonly breakdown: Breakdown | undefined;
}

const readSummary = async (partition: number, layout: CatalogueLayout): Promise<SummaryRead> => {
  const counters = await readCounters(largeBucketPartition);
  const summary = counters.find(({ o }) => o === toSummaryKey(partition).o);
  const item = hasBreakdownItem(summary) ? await readBreakdownItem(partition) : undefined;
  return { counters, summary, breakdown: findBreakdown(summary, item, layout) };
};

const sumFacet = (breakdown: Breakdown, facet: Facet): number =>
  (breakdown.get(facet) ?? new Int32Array()).reduce((sum, count) => sum + count, 0);

const isSummaryRight = (summary: CounterItem, breakdown: Breakdown | undefined): boolean =>
  breakdown !== undefined &&
  [summary, ...(summary.f ?? [])].every(isCountable) &&
  allFacets.every((facet) => readCount(summary, facet) === sumFacet(breakdown, facet));

/**
 * Returns the check that a partition's summary is the sum of its breakdown. A repair empties the summary: then the
 * check of each large bucket puts its counts into a counter of its own, and the next compaction moves them back.
 */
export const checkSummary = (partition: number, { layout, deadline }: CheckContext): Check => {
  const example = `summary ${partition}`;
  return {
    subject: example,
    examine: async () => {
      const { summary, breakdown } = await readSummary(partition, layout);
      if (!summary || isSummaryRight(summary, breakdown)) return [];
      // Between both reads, a compaction may have changed summary and breakdown.
      const again = await readSummary(partition, layout);
      if (again.summary?.u !== summary.u) throw new ConflictError();
      const empty: CounterItem = {
        ...toSummaryKey(partition),
        u: (typeof summary.u === 'number' ? summary.u : 0) + 1,
        d: readSeconds(),
        m: typeof summary.m === 'number' ? summary.m : findLastBucket(partition, layout),
      };
      const put = putItem(countersTable, empty, ifUnchanged(summary, ['p', 'u', 't', 'g']));
      return [
        makeProblem({ kind: 'wrong_counter', example }, () => transactIfUnchanged([put], deadline)),
      ];
    },
  };
};

const countBuckets = ({ partitionBits, largeBucketBits }: CatalogueLayout): number =>
  2 ** (partitionBits - largeBucketBits);

const findLastBucket = (partition: number, layout: CatalogueLayout): number =>
  (partition + 1) * countBuckets(layout) - 1;

/**
 * Returns the shards of a large bucket, and the part of the summary that belongs to it, with the summary's key.
 * @throws {ConflictError} if the breakdown of the summary is unreadable
 */
export const readLargeShards = async (
  bucket: number,
  layout: CatalogueLayout,
): Promise<CounterItem[]> => {
  const { counters, summary, breakdown } = await readSummary(
    findPartitionOf(bucket, layout),
    layout,
  );
  const own = counters.filter((one) => !isSummaryKey(one) && readBucket(one) === bucket);
  if (!summary) return own;
  if (!breakdown) throw new ConflictError();
  const { p, o, u, f = [] } = summary;
  const counts = [...breakdown].map(([facet, all]) => [facet, all[bucket % all.length]] as const);
  const copies = f.filter((copy) => readBucket(copy) === bucket);
  return [
    ...own,
    { p, o, ...(u !== undefined && { u }), ...Object.fromEntries(counts), f: copies },
  ];
};

/** Returns the numbers of the large buckets with a counter or in a summary. Unused sequence numbers cost nothing. */
export const listLargeBuckets = async (layout: CatalogueLayout): Promise<number[]> => {
  const counters = await readCounters(largeBucketPartition);
  const summarized = counters.filter(isSummaryKey).flatMap((summary) => {
    const last = typeof summary.m === 'number' ? summary.m : -1;
    const first = Math.floor(last / countBuckets(layout)) * countBuckets(layout);
    return Array.from({ length: last < 0 ? 0 : last - first + 1 }, (_, at) => first + at);
  });
  const own = counters.filter((counter) => !isSummaryKey(counter)).map(readBucket);
  return [...new Set([...own, ...summarized])];
};
