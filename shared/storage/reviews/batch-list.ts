import type { BatchesQuery, BatchPage } from '../../api/schemas/batch.ts';
import { queryPage } from '../dynamodb/read.ts';
import { defineTable } from '../dynamodb/table.ts';
import { putItem } from '../dynamodb/write.ts';
import { putAlone } from '../dynamodb/write-alone.ts';

/** Row of a batch on a day on which a version joined it. */
interface BatchRow {
  readonly v: string;
  readonly k: string;
}

const batchesTable = defineTable<BatchRow>('reviews');

/** Partition with the rows of batches, by day. No version key begins with `#`. */
const batchesPartition = '#batches';

const dayLength = '2027-01-31'.length;

/** Writes that a version joined a batch on the day of a time. Repeating it changes nothing. */
export const saveBatch = async (batch: string, at: Date): Promise<void> => {
  const k = `${at.toISOString().slice(0, dayLength)}#${batch}`;
  await putAlone(putItem(batchesTable, { v: batchesPartition, k }));
};

/** Returns a function that adds a batch to the list, and writes each batch once: versions of a batch come together. */
export const createBatchListing = (now: Date): ((batch: string) => Promise<void>) => {
  const works = new Map<string, Promise<void>>();
  return (batch) => {
    const work = works.get(batch) ?? saveBatch(batch, now);
    works.set(batch, work);
    return work;
  };
};

/**
 * Returns a page of batches, the newest first. Makes one call, of half a read unit for about 80 batches. Reads are eventually
 * consistent.
 */
export const listBatches = async ({ before, limit }: BatchesQuery): Promise<BatchPage> => {
  const { items, next } = await queryPage(
    batchesTable,
    {
      KeyConditionExpression: `v = :batches${before === undefined ? '' : ' AND k < :before'}`,
      ExpressionAttributeValues: {
        ':batches': batchesPartition,
        ...(before !== undefined && { ':before': before }),
      },
      ScanIndexForward: false,
      ConsistentRead: false,
    },
    { limit },
  );
  const days = new Map<string, string>();
  for (const { k } of items) {
    const batch = k.slice(dayLength + 1);
    if (!days.has(batch)) days.set(batch, k.slice(0, dayLength));
  }
  return {
    batches: [...days].map(([batch, submitted_on]) => ({ batch, submitted_on })),
    next: next ? (items.at(-1)?.k ?? null) : null,
  };
};
