import { deleteItem, type Guard, putItem } from '../dynamodb/write.ts';
import { deleteAlone, putAlone } from '../dynamodb/write-alone.ts';
import { saveApprovedName } from '../packages/approved-names.ts';
import { parseVersionKey } from '../packages/parse-version-key.ts';
import {
  type ExpectedRows,
  isPendingRow,
  makeReviewRows,
  type ReviewRow,
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

/** A row is newer than the image of the stream that was to replace it. */
class NewerRowError extends Error {
  override readonly name = 'NewerRowError';
}

const ifNotNewer = (revision: number): Guard<ReviewRow> => ({
  ConditionExpression: 'attribute_not_exists(revision) OR revision <= :revision',
  ExpressionAttributeValues: { ':revision': revision },
  refuse: () => new NewerRowError('A later decision has its row already'),
});

/**
 * Writes rows, those of batches first: a decision deletes the rows of pending versions, and only a row of a batch then
 * shows that an image is old. Each update that the registry submits has a batch.
 */
const writeRows = async (
  { rows, unwanted }: ExpectedRows,
  guard?: Guard<ReviewRow>,
): Promise<void> => {
  const put = (row: ReviewRow) => putAlone(putItem(reviewRowsTable, row, guard));
  await Promise.all(rows.filter((row) => !isPendingRow(row)).map(put));
  await Promise.all([
    ...rows.filter(isPendingRow).map(put),
    ...unwanted.map((key) => deleteAlone(deleteItem(reviewRowsTable, key, guard))),
  ]);
};

/** Writes the rows that follow from an image of the stream. An image from before a decision that has its rows changes nothing. */
const writeRowsOfImage = async (versionKey: string, image: RowSource): Promise<void> => {
  try {
    await writeRows(makeReviewRows(versionKey, image), ifNotNewer(image.revision));
  } catch (error) {
    if (!(error instanceof NewerRowError)) throw error;
  }
};

/**
 * Writes the rows of a version in the lists of reviews, and deletes its rows of pending versions after a decision. Readers
 * compare each row with the review state, so that an old row shows nothing wrong. The name of an approved version also
 * gets its row among the approved names.
 * @param known the review state as its stream shows it; read if absent
 */
export const indexReview = async (versionKey: string, known?: RowSource): Promise<void> => {
  const id = parseVersionKey(versionKey);
  const source = known ?? (id && (await findReviewState(id)));
  if (!source) return;
  if (known) await writeRowsOfImage(versionKey, known);
  else await writeRows(makeReviewRows(versionKey, source));
  if (id && source.status === 'approved') await saveApprovedName(id);
};
