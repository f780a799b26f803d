import { tableName } from '../../config/env.ts';
import type { Ecosystem } from '../../domain/ecosystem.ts';
import type { Status } from '../../domain/status.ts';
import type { PackageListItem } from '../../schemas/package.ts';
import { ordinalKey } from '../keys.ts';
import { queryItems } from '../query-items.ts';
import { cellsOf } from './cells.ts';
import { type BlockCounts, readCoarseCounts, readFineCounts, totalOf } from './counters.ts';
import { browseIndex, browsePartition } from './keys.ts';
import { type CatalogueLayout, pieceOf } from './layout.ts';
import { type BrowseRow, itemOfBrowseRow } from './rows.ts';

/** Which stretch of which package versions to list. */
export interface BrowseQuery {
  readonly ecosystem?: Ecosystem | undefined;
  readonly status?: Status | undefined;
  readonly newestFirst: boolean;
  readonly limit: number;
  readonly offset: number;
}

/** One stretch of the list, and how many match in all. */
export interface CataloguePage {
  readonly packages: PackageListItem[];
  readonly total: number;
}

/** A stretch of ordinals in the order of the list: in it, `skip` matches come before the page. */
interface Position {
  /** The ordinal to start at, going up or down. */
  readonly from: number;
  readonly skip: number;
}

/** Which rows of a partition, and in which order. */
type RowsQuery = Pick<BrowseQuery, 'ecosystem' | 'status' | 'newestFirst'>;

interface RowRange {
  readonly partition: number;
  /** The first ordinal, going up or down, and the last one, going up. */
  readonly from: number;
  readonly to?: number;
  readonly count: number;
}

/** The ordinal at which a block begins in the order of the list. */
const edgeOf = (block: number, bits: number, newestFirst: boolean): number =>
  newestFirst ? (block + 1) * 2 ** bits - 1 : block * 2 ** bits;

/** Walks blocks in the order of the list until the one in which the match after `skip` others lies. */
const findBlock = (
  counts: BlockCounts,
  skip: number,
  newestFirst: boolean,
): { readonly block: number; readonly skip: number } => {
  const blocks = [...counts.keys()].sort((a, b) => (newestFirst ? b - a : a - b));
  let left = skip;
  for (const block of blocks) {
    const count = counts.get(block) ?? 0;
    if (left < count) return { block, skip: left };
    left -= count;
  }
  // A decision between two reads took away the match: the page begins after the last one.
  return { block: blocks.at(-1) ?? 0, skip: left + (counts.get(blocks.at(-1) ?? 0) ?? 0) };
};

/** Reads rows of one partition from an ordinal on, in the order of the list. */
export const readRows = async (
  query: RowsQuery,
  { partition, from, to, count }: RowRange,
): Promise<BrowseRow[]> => {
  const { name, sortKey, prefix } = browseIndex(query);
  const range = query.newestFirst
    ? [prefix, `${prefix}${ordinalKey(from)}`]
    : [`${prefix}${ordinalKey(from)}`, `${prefix}${to === undefined ? '~' : ordinalKey(to)}`];
  const rows = await queryItems(
    {
      TableName: tableName('catalogue'),
      ...(name && { IndexName: name }),
      KeyConditionExpression: 'p = :partition AND #position BETWEEN :low AND :high',
      ExpressionAttributeNames: { '#position': sortKey },
      ExpressionAttributeValues: {
        ':partition': browsePartition(partition),
        ':low': range[0] || ' ',
        ':high': range[1],
      },
      ScanIndexForward: !query.newestFirst,
    },
    count,
  );
  return rows as unknown as BrowseRow[];
};

const partitionsOf = (
  counts: BlockCounts,
  newestFirst: boolean,
  { coarseBits, partitionBits }: CatalogueLayout,
): number[] => {
  const partitions = [...counts]
    .filter(([, count]) => count > 0)
    .map(([block]) => pieceOf(block, partitionBits - coarseBits));
  return [...new Set(partitions)].sort((a, b) => (newestFirst ? b - a : a - b));
};

/** Rows already at hand: the first ones of a partition, as many as there are up to what is wanted. */
interface RowsAtHand {
  readonly partition: number;
  readonly rows: BrowseRow[];
}

/** Reads the page at a position, going on through the partitions that have matches until it is full. */
const readPage = async (
  query: BrowseQuery,
  {
    counts,
    layout,
    position,
    atHand,
  }: {
    counts: BlockCounts;
    layout: CatalogueLayout;
    position: Position;
    atHand?: RowsAtHand;
  },
): Promise<PackageListItem[]> => {
  const { newestFirst, limit } = query;
  const startPartition = pieceOf(position.from, layout.partitionBits);
  const wanted = position.skip + limit;
  const rows: BrowseRow[] = [];
  for (const partition of partitionsOf(counts, newestFirst, layout)) {
    const isBefore = newestFirst ? partition > startPartition : partition < startPartition;
    if (isBefore) continue;
    if (rows.length >= wanted) break;
    const from =
      partition === startPartition
        ? position.from
        : edgeOf(partition, layout.partitionBits, newestFirst);
    const read =
      atHand?.partition === partition
        ? atHand.rows
        : await readRows(query, { partition, from, count: wanted - rows.length });
    rows.push(...read);
  }
  return rows.slice(position.skip, wanted).map(itemOfBrowseRow);
};

/** Where the page begins, found by the counts: first among coarse blocks, then among the fine blocks of one. */
const findPosition = async (
  query: BrowseQuery,
  counts: BlockCounts,
  layout: CatalogueLayout,
): Promise<Position> => {
  const { newestFirst, offset } = query;
  const { coarseBits, fineBits } = layout;
  const coarse = findBlock(counts, offset, newestFirst);
  // A few rows are skipped for less than what the fine counters cost.
  if (coarse.skip < 2 ** fineBits) {
    return { from: edgeOf(coarse.block, coarseBits, newestFirst), skip: coarse.skip };
  }
  const fineCounts = await readFineCounts(coarse.block, cellsOf(query));
  const fine = findBlock(fineCounts, coarse.skip, newestFirst);
  const block = coarse.block * 2 ** (coarseBits - fineBits) + fine.block;
  return { from: edgeOf(block, fineBits, newestFirst), skip: fine.skip };
};

/**
 * Counts and rows are read at different moments, between which a writer may have been at work. The page tells how many
 * matches there are at least, and, where it ends early, at most.
 */
const consistentTotal = (
  counted: number,
  { offset, limit }: BrowseQuery,
  shown: number,
): number => {
  if (shown === limit) return Math.max(counted, offset + shown);
  return shown > 0 ? offset + shown : Math.min(counted, offset);
};

const readDeepPage = async (
  query: BrowseQuery,
  layout: CatalogueLayout,
): Promise<CataloguePage> => {
  const counts = await readCoarseCounts(cellsOf(query));
  const total = totalOf(counts);
  if (query.offset >= total) return { packages: [], total };
  const position = await findPosition(query, counts, layout);
  const packages = await readPage(query, { counts, layout, position });
  return { packages, total: consistentTotal(total, query, packages.length) };
};

/** Browses the catalogue. Its state is only a guess that saves a round trip: where the newest versions are. */
export const createBrowser = (layout: CatalogueLayout) => {
  let newestPartition = 0;

  /** Reads the counts and the first rows at once, betting on the partition that has them. */
  const readShallowPage = async (query: BrowseQuery): Promise<CataloguePage> => {
    const { newestFirst, offset, limit } = query;
    const partition = newestFirst ? newestPartition : 0;
    const from = edgeOf(partition, layout.partitionBits, newestFirst);
    const [counts, rows] = await Promise.all([
      readCoarseCounts(cellsOf(query)),
      readRows(query, { partition, from, count: offset + limit }),
    ]);
    const partitions = partitionsOf(counts, newestFirst, layout);
    const first = partitions[0] ?? partition;
    newestPartition = Math.max(newestPartition, ...partitions);
    const position = { from: edgeOf(first, layout.partitionBits, newestFirst), skip: offset };
    const packages = await readPage(query, {
      counts,
      layout,
      position,
      atHand: { partition, rows },
    });
    return { packages, total: consistentTotal(totalOf(counts), query, packages.length) };
  };

  return (query: BrowseQuery): Promise<CataloguePage> =>
    query.offset < 2 ** layout.fineBits ? readShallowPage(query) : readDeepPage(query, layout);
};
