import { deleteItem, putItem } from '../dynamodb/write.ts';
import { deleteAlone, putAlone } from '../dynamodb/write-alone.ts';
import { parseVersionKey } from '../packages/parse-version-key.ts';
import {
  type ExpectedRows,
  makeReviewRows,
  type RowSource,
  reviewRowsTable,
} from './review-rows.ts';
import { findReviewState } from './review-state.ts';

/** Returns the rows that follow from the review state of a version; undefined if that is missing or unreadable. */
export const findExpectedRows = async (versionKey: string): Promise<ExpectedRows | undefined> => {
  const id = parseVersionKey(versionKey);
  const head = id && (await findReviewState(id));
  return head && makeReviewRows(versionKey, head);
};

const writeRows = async ({ rows, unwanted }: ExpectedRows): Promise<void> => {
  await Promise.all([
    ...rows.map((row) => putAlone(putItem(reviewRowsTable, row))),
    ...(unwanted ? [deleteAlone(deleteItem(reviewRowsTable, unwanted))] : []),
  ]);
};

/**
 * Writes the rows of a version in the lists of reviews, and deletes its row of pending versions after a decision. Readers
 * compare each row with the review state, so that an old row shows nothing wrong.
 * @param known the review state as its stream shows it; read if absent
 */
export const indexReview = async (versionKey: string, known?: RowSource): Promise<void> => {
  const expected = known ? makeReviewRows(versionKey, known) : await findExpectedRows(versionKey);
  if (expected) await writeRows(expected);
};
