import type { PackageListItem } from '../../api/schemas/package.ts';
import { countInBreakdown } from './breakdown.ts';
import { addCounts, type BucketCounts, readSmallBucketCounts, sumCounts } from './counters.ts';
import { type Facet, toFacets } from './facets.ts';
import { countByPartition, countOutsideSummary, type LargeCounters } from './large-counters.ts';
import { type CatalogueLayout, findPiece } from './layout.ts';
import {
  type BucketPosition,
  findBucket,
  findPartitions,
  type Position,
  reconcileTotal,
} from './positions.ts';
import { type RowsQuery, readRows } from './read-rows.ts';
import { createSummaryReader, type SummarizedCounters } from './read-summary.ts';
import { type BrowseRow, readRow } from './rows.ts';

/** Query for one page of package versions. */
export interface BrowseQuery extends RowsQuery {
  readonly limit: number;
  readonly offset: number;
}

/** One page of the list, and the number of all matches. */
export interface CataloguePage {
  readonly packages: PackageListItem[];
  readonly total: number;
}

/** Inputs of a page read. */
interface PagePlan {
  /** Matches in each partition. */
  readonly counts: BucketCounts;
  readonly layout: CatalogueLayout;
  readonly position: Position;
  /** First rows of a partition, if already read: all of them, up to the number that the page needs. */
  readonly atHand?: { readonly partition: number; readonly rows: BrowseRow[] };
}

/** Returns the page at a position. Continues through the partitions with matches until the page is full. */
const readPage = async (
  query: BrowseQuery,
  { counts, layout, position, atHand }: PagePlan,
): Promise<PackageListItem[]> => {
  const { order, limit } = query;
  const { partitionBits } = layout;
  const first = findPiece(position.from, partitionBits);
  const wanted = position.skip + limit;
  const rows: BrowseRow[] = [];
  for (const partition of findPartitions(counts, order)) {
    if (order.compare(partition, first) < 0) continue;
    if (rows.length >= wanted) break;
    const from = partition === first ? position.from : order.enter(partition, partitionBits);
    const read =
      atHand?.partition === partition
        ? atHand.rows
        : await readRows(query, { partition, from, count: wanted - rows.length });
    rows.push(...read);
  }
  return rows.slice(position.skip, wanted).map(readRow);
};

/** Returns the partition that contains the start of a page, and the number of its matches before the start. */
const findStart = (
  { order, offset, ...filter }: BrowseQuery,
  counters: LargeCounters,
  layout: CatalogueLayout,
): BucketPosition =>
  findBucket(countByPartition(counters, toFacets(filter), layout), offset, order);

/** Returns the matches in each large bucket of a partition. */
const countLargeBuckets = (
  partition: number,
  facets: readonly Facet[],
  { counters, breakdown, layout }: SummarizedCounters & { readonly layout: CatalogueLayout },
): BucketCounts =>
  addCounts(
    countOutsideSummary(counters, partition, { facets, layout }),
    countInBreakdown(breakdown, partition, facets),
  );

/**
 * Returns the position of a page from the counts: first among partitions, then among the large buckets of one, then
 * among the small buckets of one of these.
 */
const findPosition = async (
  query: BrowseQuery,
  read: SummarizedCounters,
  layout: CatalogueLayout,
): Promise<Position> => {
  const { order } = query;
  const { partitionBits, largeBucketBits, smallBucketBits } = layout;
  const facets = toFacets(query);
  const start = findStart(query, read.counters, layout);
  // Skipping a few rows costs less than reading the counters of small buckets.
  const isNear = ({ skip }: BucketPosition): boolean => skip < 2 ** smallBucketBits;
  if (isNear(start)) return { from: order.enter(start.bucket, partitionBits), skip: start.skip };
  const counts = countLargeBuckets(start.bucket, facets, { ...read, layout });
  const large = findBucket(counts, start.skip, order);
  if (isNear(large)) return { from: order.enter(large.bucket, largeBucketBits), skip: large.skip };
  const small = findBucket(await readSmallBucketCounts(large.bucket, facets), large.skip, order);
  const bucket = large.bucket * 2 ** (largeBucketBits - smallBucketBits) + small.bucket;
  return { from: order.enter(bucket, smallBucketBits), skip: small.skip };
};

/**
 * Returns the function that browses the catalogue. Its state is the likely partition of the newest versions, and the
 * last counters: each saves a round trip.
 */
export const createBrowser = (layout: CatalogueLayout) => {
  const { partitionBits, smallBucketBits } = layout;
  let newestPartition = 0;
  const { readCounters, readSummarized } = createSummaryReader(layout);

  /** Reads the counts and the rows of the likely first partition in parallel. */
  const readShallowPage = async (query: BrowseQuery): Promise<CataloguePage> => {
    const { order, offset, limit } = query;
    const partition = order.isAscending ? 0 : newestPartition;
    const from = order.enter(partition, partitionBits);
    const [counters, rows] = await Promise.all([
      readCounters(),
      readRows(query, { partition, from, count: offset + limit }),
    ]);
    const counts = countByPartition(counters, toFacets(query), layout);
    const partitions = findPartitions(counts, order);
    newestPartition = Math.max(newestPartition, ...partitions);
    const position = { from: order.enter(partitions[0] ?? partition, partitionBits), skip: offset };
    const atHand = { partition, rows };
    const packages = await readPage(query, { counts, layout, position, atHand });
    return { packages, total: reconcileTotal(counts, query, packages.length) };
  };

  const readDeepPage = async (query: BrowseQuery): Promise<CataloguePage> => {
    const read = await readSummarized((counters) => findStart(query, counters, layout).bucket);
    const counts = countByPartition(read.counters, toFacets(query), layout);
    const counted = sumCounts(counts);
    if (query.offset >= counted) return { packages: [], total: counted };
    const position = await findPosition(query, read, layout);
    const packages = await readPage(query, { counts, layout, position });
    return { packages, total: reconcileTotal(counts, query, packages.length) };
  };

  return (query: BrowseQuery): Promise<CataloguePage> =>
    query.offset < 2 ** smallBucketBits ? readShallowPage(query) : readDeepPage(query);
};
