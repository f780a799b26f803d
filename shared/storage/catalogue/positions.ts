import { type BlockCounts, sumCounts } from './counters.ts';
import { type CatalogueLayout, findPiece } from './layout.ts';
import type { Order } from './order.ts';

/** Where a page begins: at the match after `skip` others, counted from an ordinal on in the order of the list. */
export interface Position {
  readonly from: number;
  readonly skip: number;
}

/** The block in which the match after `skip` others lies, and how many matches of that block come before it. */
export interface BlockPosition {
  readonly block: number;
  readonly skip: number;
}

/** Walks blocks in the order of the list until the one in which the match after `skip` others lies. */
export const findBlock = (counts: BlockCounts, skip: number, order: Order): BlockPosition => {
  const blocks = [...counts.keys()].sort(order.compare);
  let left = skip;
  for (const block of blocks) {
    const count = counts.get(block) ?? 0;
    if (left < count) return { block, skip: left };
    left -= count;
  }
  // A decision between two reads took away the match: the page begins after the last one.
  const last = blocks.at(-1) ?? 0;
  return { block: last, skip: left + (counts.get(last) ?? 0) };
};

/** The pieces of 2^bits blocks that have matches. */
export const findPieces = (counts: BlockCounts, bits: number): number[] => {
  const matching = [...counts].filter(([, count]) => count > 0);
  return [...new Set(matching.map(([block]) => findPiece(block, bits)))];
};

/** The partitions that have matches, in the order of the list. */
export const findPartitions = (
  counts: BlockCounts,
  order: Order,
  { coarseBits, partitionBits }: CatalogueLayout,
): number[] => findPieces(counts, partitionBits - coarseBits).sort(order.compare);

/**
 * Counts and rows are read at different moments, between which a writer may have been at work. The page tells how many
 * matches there are at least, and, where it ends early, at most.
 */
export const reconcileTotal = (
  counts: BlockCounts,
  { offset, limit }: { readonly offset: number; readonly limit: number },
  shown: number,
): number => {
  const counted = sumCounts(counts);
  if (shown === limit) return Math.max(counted, offset + shown);
  return shown > 0 ? offset + shown : Math.min(counted, offset);
};
