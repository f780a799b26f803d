import type { PackageListItem } from '../../api/schemas/package.ts';
import {
  type BucketCounts,
  readLargeBucketCounts,
  readSmallBucketCounts,
  sumCounts,
} from './counters.ts';
import { toFacets } from './facets.ts';
import { type CatalogueLayout, findPiece } from './layout.ts';
import { findBucket, findPartitions, type Position, reconcileTotal } from './positions.ts';
import { type RowsQuery, readRows } from './read-rows.ts';
import { type BrowseRow, readBrowseRow } from './rows.ts';

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
  for (const partition of findPartitions(counts, order, layout)) {
    if (order.compare(partition, first) < 0) continue;
    if (rows.length >= wanted) break;
    const from = partition === first ? position.from : order.enter(partition, partitionBits);
    const read =
      atHand?.partition === partition
        ? atHand.rows
        : await readRows(query, { partition, from, count: wanted - rows.length });
    rows.push(...read);
  }
  return rows.slice(position.skip, wanted).map(readBrowseRow);
};

/** Returns the position of a page from the counts: first among large buckets, then among the small buckets of one. */
const findPosition = async (
  query: BrowseQuery,
  counts: BucketCounts,
  { largeBucketBits, smallBucketBits }: CatalogueLayout,
): Promise<Position> => {
  const { order, offset } = query;
  const large = findBucket(counts, offset, order);
  // Skipping a few rows costs less than reading the counters of small buckets.
  if (large.skip < 2 ** smallBucketBits) {
    return { from: order.enter(large.bucket, largeBucketBits), skip: large.skip };
  }
  const small = findBucket(
    await readSmallBucketCounts(large.bucket, toFacets(query)),
    large.skip,
    order,
  );
  const bucket = large.bucket * 2 ** (largeBucketBits - smallBucketBits) + small.bucket;
  return { from: order.enter(bucket, smallBucketBits), skip: small.skip };
};

const readDeepPage = async (
  query: BrowseQuery,
  layout: CatalogueLayout,
): Promise<CataloguePage> => {
  const counts = await readLargeBucketCounts(toFacets(query));
  const counted = sumCounts(counts);
  if (query.offset >= counted) return { packages: [], total: counted };
  const position = await findPosition(query, counts, layout);
  const packages = await readPage(query, { counts, layout, position });
  return { packages, total: reconcileTotal(counts, query, packages.length) };
};

/**
 * Returns the function that browses the catalogue. Its state is the likely partition of the newest versions, which
 * saves a round trip.
 */
export const createBrowser = (layout: CatalogueLayout) => {
  const { partitionBits, smallBucketBits } = layout;
  let newestPartition = 0;

  /** Reads the counts and the rows of the likely first partition in parallel. */
  const readShallowPage = async (query: BrowseQuery): Promise<CataloguePage> => {
    const { order, offset, limit } = query;
    const partition = order.isAscending ? 0 : newestPartition;
    const from = order.enter(partition, partitionBits);
    const [counts, rows] = await Promise.all([
      readLargeBucketCounts(toFacets(query)),
      readRows(query, { partition, from, count: offset + limit }),
    ]);
    const partitions = findPartitions(counts, order, layout);
    newestPartition = Math.max(newestPartition, ...partitions);
    const position = { from: order.enter(partitions[0] ?? partition, partitionBits), skip: offset };
    const atHand = { partition, rows };
    const packages = await readPage(query, { counts, layout, position, atHand });
    return { packages, total: reconcileTotal(counts, query, packages.length) };
  };

  return (query: BrowseQuery): Promise<CataloguePage> =>
    query.offset < 2 ** smallBucketBits ? readShallowPage(query) : readDeepPage(query, layout);
};
