import { coarseBucketPartition, readBlock, toCoarseKey } from '../catalogue/catalogue-keys.ts';
import { countersTable, readCounters } from '../catalogue/counters.ts';
import { type CatalogueLayout, findPiece } from '../catalogue/layout.ts';
import { newestFirst } from '../catalogue/order.ts';
import { readRows } from '../catalogue/read-rows.ts';
import { type CatalogueRow, readSequenceNumber } from '../catalogue/rows.ts';
import { ifUnchanged, putItem } from '../dynamodb/write.ts';
import type { CheckContext } from './tally.ts';
import { transactUnlessChanged } from './transact-unless-changed.ts';

const readCoarseBlocks = async (): Promise<number[]> => [
  ...new Set((await readCounters(coarseBucketPartition)).map(readBlock)),
];

/** Finds coarse blocks that have browse rows and no counter; mended, they have one of nothing, to be judged like all others. */
export const checkCoarseBlocks = async (
  rows: readonly CatalogueRow[],
  { layout, tally, repair, deadline }: CheckContext,
): Promise<void> => {
  const inUse = rows
    .filter((row) => 'b' in row)
    .map((row) => findPiece(readSequenceNumber(row), layout.coarseBits));
  if (inUse.length === 0) return;
  const known = new Set(await readCoarseBlocks());
  for (const block of new Set(inUse.filter((one) => !known.has(one)))) {
    const counter = { ...toCoarseKey(block, 0), u: 1 };
    if (!repair) tally.find('wrong_counter', `coarse block ${block}`);
    else {
      const isNew = ifUnchanged(undefined, ['p']);
      await transactUnlessChanged([putItem(countersTable, counter, isNew)], deadline);
    }
  }
};

/** The first coarse block from this one on that has a counter: what was drawn in vain costs nothing. Undefined after the last one. */
export const findNextBlock = async (from: number): Promise<number | undefined> => {
  const blocks = (await readCoarseBlocks()).filter((block) => block >= from);
  return blocks.length === 0 ? undefined : Math.min(...blocks);
};

/** The highest ordinal at which a browse row stands; 0 if there is none. */
export const findHighestSequenceNumber = async ({
  coarseBits,
  partitionBits,
}: CatalogueLayout): Promise<number> => {
  for (const block of (await readCoarseBlocks()).sort(newestFirst.compare)) {
    const from = newestFirst.enter(block, coarseBits);
    const partition = findPiece(from, partitionBits);
    const [row] = await readRows({ order: newestFirst }, { partition, from, count: 1 });
    if (row) return readSequenceNumber(row);
  }
  return 0;
};
