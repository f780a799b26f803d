import { readCounters } from '../catalogue/counters.ts';
import { coarsePartition, readBlock } from '../catalogue/keys.ts';
import { type CatalogueLayout, findPiece } from '../catalogue/layout.ts';
import { newestFirst, oldestFirst } from '../catalogue/order.ts';
import { readRows } from '../catalogue/read-rows.ts';
import { readOrdinal } from '../catalogue/rows.ts';

/** The first coarse block, from this one on, in which browse rows stand; undefined if there is none. Asks each partition at most once. */
const findBlockWithRows = async (
  from: number,
  { last, layout }: { last: number; layout: CatalogueLayout },
): Promise<number | undefined> => {
  const { partitionBits, coarseBits } = layout;
  const start = from * 2 ** coarseBits;
  const lastPartition = findPiece(last, partitionBits);
  for (
    let partition = findPiece(start, partitionBits);
    partition <= lastPartition;
    partition += 1
  ) {
    const entry = Math.max(start, oldestFirst.enter(partition, partitionBits));
    const [row] = await readRows({ order: oldestFirst }, { partition, from: entry, count: 1 });
    if (row) return findPiece(readOrdinal(row), coarseBits);
  }
  return undefined;
};

/** The next coarse block that has a counter or rows: what was drawn in vain costs nothing. Undefined after the last one. */
export const findNextBlock = async (
  from: number,
  { newest, layout }: { newest: number; layout: CatalogueLayout },
): Promise<number | undefined> => {
  const blocks = [...new Set((await readCounters(coarsePartition)).map(readBlock))];
  const end = (Math.max(-1, ...blocks) + 1) * 2 ** layout.coarseBits - 1;
  const withRows = await findBlockWithRows(from, { last: Math.max(newest, end), layout });
  const next = Math.min(
    ...blocks.filter((block) => block >= from),
    withRows ?? Number.POSITIVE_INFINITY,
  );
  return Number.isFinite(next) ? next : undefined;
};

/** The highest ordinal at which a browse row stands in a coarse block; 0 if none does. */
export const findHighestOrdinal = async (
  block: number,
  layout: CatalogueLayout,
): Promise<number> => {
  const { coarseBits, partitionBits } = layout;
  const from = newestFirst.enter(block, coarseBits);
  const partition = findPiece(from, partitionBits);
  const [row] = await readRows({ order: newestFirst }, { partition, from, count: 1 });
  return row ? readOrdinal(row) : 0;
};
