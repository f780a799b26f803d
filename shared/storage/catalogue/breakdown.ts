import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { queryItems, type ReadOptions } from '../dynamodb/read.ts';
import { defineTable } from '../dynamodb/table.ts';
import { type CatalogueKey, readBucket, toBreakdownKey } from './catalogue-keys.ts';
import { type BucketCounts, type CounterItem, readCount } from './counters.ts';
import type { Facet } from './facets.ts';
import type { CatalogueLayout } from './layout.ts';

/** Packed counts of a partition's summary for each of its large buckets. */
interface PackedBreakdown {
  /** Facets in the order of their counts. */
  readonly k: string;
  /** Deflated counts of 4 bytes: of all large buckets in the first facet, then in the second one. */
  readonly x: Uint8Array;
}

/** Breakdown that is too large for its summary. */
export type BreakdownItem = CatalogueKey &
  PackedBreakdown & {
    /** Generation: equal to the one of the summary whose counts it divides. */
    readonly g: string;
  };

export const breakdownsTable = defineTable<BreakdownItem>('catalogue');

/** Counts of each facet by the position of a large bucket in its partition. */
export type Breakdown = ReadonlyMap<Facet, Int32Array>;

/** Returns the number of large buckets in a partition. */
const countLargeBuckets = ({ partitionBits, largeBucketBits }: CatalogueLayout): number =>
  2 ** (partitionBits - largeBucketBits);

export const packBreakdown = (breakdown: Breakdown): PackedBreakdown => ({
  k: [...breakdown.keys()].join(''),
  x: deflateRawSync(
    Buffer.concat([...breakdown.values()].map(({ buffer }) => Buffer.from(buffer))),
  ),
});

/** Returns the counts of a packed breakdown; undefined if it is damaged. */
const unpackBreakdown = (
  { k, x }: PackedBreakdown,
  layout: CatalogueLayout,
): Breakdown | undefined => {
  const buckets = countLargeBuckets(layout);
  const bytes = buckets * Int32Array.BYTES_PER_ELEMENT;
  try {
    const counts = inflateRawSync(x, { maxOutputLength: k.length * bytes });
    if (counts.length !== k.length * bytes) return undefined;
    const { buffer } = new Uint8Array(counts);
    return new Map([...k].map((facet, at) => [facet, new Int32Array(buffer, at * bytes, buckets)]));
  } catch {
    return undefined;
  }
};

/** Returns the breakdown item of a partition; undefined if there is none. */
export const readBreakdownItem = async (
  partition: number,
  { eventual = false }: ReadOptions = {},
): Promise<BreakdownItem | undefined> => {
  const { p, o } = toBreakdownKey(partition);
  const [item] = await queryItems(breakdownsTable, {
    KeyConditionExpression: 'p = :partition AND o = :position',
    ExpressionAttributeValues: { ':partition': p, ':position': o },
    ConsistentRead: !eventual,
  });
  return item;
};

/** True if the summary's breakdown is an item of its own. */
export const hasBreakdownItem = (summary: CounterItem | undefined): boolean =>
  summary?.g !== undefined && summary.x === undefined;

/**
 * Returns the breakdown of a summary, from the summary or from the item of its generation. Empty for a summary without
 * counts; undefined if the breakdown is lost, damaged or of another generation.
 */
export const findBreakdown = (
  summary: CounterItem | undefined,
  item: BreakdownItem | undefined,
  layout: CatalogueLayout,
): Breakdown | undefined => {
  if (summary?.g === undefined) return new Map();
  const { g, k, x } = summary;
  if (k !== undefined && x !== undefined) return unpackBreakdown({ k, x }, layout);
  return item?.g === g ? unpackBreakdown(item, layout) : undefined;
};

/** Returns a breakdown with the counts of some shards of the partition's large buckets added. */
export const addToBreakdown = (
  breakdown: Breakdown,
  shards: readonly CounterItem[],
  { facets, layout }: { readonly facets: readonly Facet[]; readonly layout: CatalogueLayout },
): Breakdown => {
  const buckets = countLargeBuckets(layout);
  return new Map(
    facets.map((facet) => {
      const counts = Int32Array.from(breakdown.get(facet) ?? new Int32Array(buckets));
      for (const shard of shards) {
        const at = readBucket(shard) % buckets;
        counts[at] = (counts[at] ?? 0) + readCount(shard, facet);
      }
      return [facet, counts];
    }),
  );
};

/** Returns the sums of some facets by large bucket. */
export const countInBreakdown = (
  breakdown: Breakdown,
  partition: number,
  facets: readonly Facet[],
): BucketCounts => {
  const sums = new Map<number, number>();
  for (const facet of facets) {
    const counts = breakdown.get(facet) ?? new Int32Array();
    const first = partition * counts.length;
    for (const [at, count] of counts.entries()) {
      sums.set(first + at, (sums.get(first + at) ?? 0) + count);
    }
  }
  return sums;
};
