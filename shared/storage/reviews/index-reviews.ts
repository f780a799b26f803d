import { isDeepStrictEqual } from 'node:util';
import { deleteItem, type Guard, putItem } from '../dynamodb/write.ts';
import { deleteAlone, putAlone } from '../dynamodb/write-alone.ts';
import { saveApprovedName } from '../packages/approved-names.ts';
import { parseVersionKey } from '../packages/parse-version-key.ts';
import { isPendingRow } from './review-lists.ts';
import {
  type ExpectedRows,
  findReviewRows,
  type ReviewRow,
  reviewRowsTable,
} from './review-rows.ts';
import { findReviewState } from './review-state.ts';
import type { RowSource } from './row-source.ts';

/** Returns the rows that follow from the review state of a version; undefined if that is missing or unreadable. */
export const findExpectedRows = async (versionKey: string): Promise<ExpectedRows | undefined> => {
  const id = parseVersionKey(versionKey);
  const head = id && (await findReviewState(id));
  return head && findReviewRows(versionKey, head);
};

/** Change of a review state, as the images of its stream show it. */
export interface ReviewChange {
  /** Review state before the change; undefined for a new version. */
  readonly before: RowSource | undefined;
  readonly after: RowSource;
}

/** A row is newer than the image of the stream that was to replace it. */
class NewerRowError extends Error {
  override readonly name = 'NewerRowError';
}

const ifNotNewer = (revision: number): Guard<ReviewRow> => ({
  ConditionExpression: 'attribute_not_exists(revision) OR revision <= :revision',
  ExpressionAttributeValues: { ':revision': revision },
  refuse: () => new NewerRowError('A later decision has its row already'),
});

type RowKey = Pick<ReviewRow, 'v' | 'k'>;

const toText = ({ v, k }: RowKey): string => `${v} ${k}`;

/**
 * Writes rows, those that a version keeps after a decision first: a decision deletes the rows of pending versions, and only
 * another row then shows that an image is old. Each update that the registry submits has a batch.
 */
const writeRows = async (
  { rows, unwanted }: ExpectedRows,
  guard?: Guard<ReviewRow>,
): Promise<void> => {
  const put = (row: ReviewRow) => putAlone(putItem(reviewRowsTable, row, guard));
  await Promise.all(rows.filter((row) => !isPendingRow(row)).map(put));
  await Promise.all([
    ...rows.filter(isPendingRow).map(put),
    ...unwanted.map(({ v, k }) => deleteAlone(deleteItem(reviewRowsTable, { v, k }, guard))),
  ]);
};

const nothing: ExpectedRows = { rows: [], unwanted: [] };

const listRows = (versionKey: string, source: RowSource | undefined): readonly ReviewRow[] =>
  (source && findReviewRows(versionKey, source)?.rows) ?? [];

/** True if a change of a review state changes rows of its version. */
export const changesRows = (versionKey: string, { before, after }: ReviewChange): boolean =>
  !before || !isDeepStrictEqual(listRows(versionKey, before), listRows(versionKey, after));

/** Returns the rows that a change adds or replaces, and the keys of the others that it may have left. */
const listChanged = (
  versionKey: string,
  { before, after }: ReviewChange,
  current: RowSource,
): ExpectedRows => {
  const old = listRows(versionKey, before);
  const stored = new Map(old.map((row) => [toText(row), row]));
  const { rows, unwanted } = findReviewRows(versionKey, current) ?? nothing;
  const wanted = new Set(rows.map(toText));
  const former = [...old, ...listRows(versionKey, after), ...(before ? [] : unwanted)];
  const gone = new Map(former.map((row) => [toText(row), row]));
  for (const key of wanted) gone.delete(key);
  return {
    rows: rows.filter((row) => !isDeepStrictEqual(stored.get(toText(row)), row)),
    unwanted: [...gone.values()],
  };
};

/** Writes the rows that a change adds or replaces, and deletes the others. The image of an earlier revision changes nothing. */
const writeChange = async (versionKey: string, change: ReviewChange): Promise<void> => {
  const { before, after } = change;
  const id = parseVersionKey(versionKey);
  // Rows show their revision, and no more: after new evidence, only the review state shows if the image is still true.
  const isSameRevision = before?.revision === after.revision;
  const current = (isSameRevision && id && (await findReviewState(id))) || after;
  try {
    await writeRows(listChanged(versionKey, change, current), ifNotNewer(current.revision));
  } catch (error) {
    if (!(error instanceof NewerRowError)) throw error;
  }
};

/**
 * Writes the rows of a version in the lists of reviews, and deletes its rows of pending versions after a decision. Readers
 * compare each row with the review state, so that an old row shows nothing wrong. The name of an approved version also
 * gets its row among the approved names.
 * @param change the change of the review state; all rows are written if absent
 */
export const indexReview = async (versionKey: string, change?: ReviewChange): Promise<void> => {
  const id = parseVersionKey(versionKey);
  const source = change?.after ?? (id && (await findReviewState(id)));
  if (!source) return;
  if (change) await writeChange(versionKey, change);
  else await writeRows(findReviewRows(versionKey, source) ?? nothing);
  if (id && source.status === 'approved') await saveApprovedName(id);
};
