import { deleteItem, putItem } from '../dynamodb/write.ts';
import { deleteAlone, putAlone } from '../dynamodb/write-alone.ts';
import { parseVersionKey } from '../packages/parse-version-key.ts';
import { findVersion } from '../packages/write-version.ts';
import {
  makeReviewRows,
  pendingPartition,
  type ReviewRow,
  reviewRowsTable,
  toRowKey,
} from './review-rows.ts';
import { findReviewState } from './review-state.ts';

/** Rows that a version must have in the lists of reviews. */
export interface ExpectedRows {
  readonly rows: readonly ReviewRow[];
  /** Key of the row in the list of pending versions that the version must not have; undefined while it is pending. */
  readonly unwanted: { readonly v: string; readonly k: string } | undefined;
}

/**
 * Returns the rows that follow from a version and its review state; undefined if one of these is missing, or unreadable.
 */
export const findExpectedRows = async (versionKey: string): Promise<ExpectedRows | undefined> => {
  const id = parseVersionKey(versionKey);
  if (!id) return undefined;
  const [version, head] = await Promise.all([findVersion(id), findReviewState(id)]);
  if (!version || !head) return undefined;
  const rows = makeReviewRows(version, head.batches);
  const isPending = version.status === 'pending';
  return {
    rows,
    unwanted: isPending ? undefined : { v: pendingPartition, k: toRowKey(version) },
  };
};

/**
 * Writes the rows of a version in the lists of reviews, and deletes its row of pending versions after a decision. Costs two
 * small reads, and a write for each row. Readers compare each row with the review state, so that an old row shows nothing
 * wrong.
 */
export const indexReview = async (versionKey: string): Promise<void> => {
  const expected = await findExpectedRows(versionKey);
  if (!expected) return;
  const { rows, unwanted } = expected;
  await Promise.all([
    ...rows.map((row) => putAlone(putItem(reviewRowsTable, row))),
    ...(unwanted ? [deleteAlone(deleteItem(reviewRowsTable, unwanted))] : []),
  ]);
};
