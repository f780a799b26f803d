import { isDeepStrictEqual } from 'node:util';
import { batchGet, getItem } from '../dynamodb/read.ts';
import { deleteItem } from '../dynamodb/write.ts';
import { deleteAlone } from '../dynamodb/write-alone.ts';
import { parseVersionKey } from '../packages/parse-version-key.ts';
import { findVersion } from '../packages/write-version.ts';
import { findExpectedRows, indexReview } from '../reviews/index-reviews.ts';
import { findRowOwner, isReviewsPartition, reviewRowsTable } from '../reviews/review-rows.ts';
import { findReviewState, reviewStateKey } from '../reviews/review-state.ts';
import { type Check, createRecall, makeProblem, type Recall } from './check.ts';

/** Check of the lists of reviews: all pending versions, pending updates, and each batch. */

interface RowKey {
  readonly v: string;
  readonly k: string;
}

const toText = ({ v, k }: RowKey): string => `${v} ${k}`;

/** Returns true if a version has exactly the rows that it must have. */
const hasRightRows = async (versionKey: string): Promise<boolean> => {
  const expected = await findExpectedRows(versionKey);
  if (!expected) return true;
  const { rows, unwanted } = expected;
  const keys = [...rows, ...unwanted].map(({ v, k }) => ({ v, k }));
  const stored = new Map((await batchGet(reviewRowsTable, keys)).map((row) => [toText(row), row]));
  const areRight = rows.every((row) => isDeepStrictEqual(stored.get(toText(row)), row));
  return areRight && !unwanted.some((key) => stored.has(toText(key)));
};

const checkVersion = (versionKey: string): Check => ({
  subject: `lists of reviews with ${versionKey}`,
  examine: async () =>
    (await hasRightRows(versionKey))
      ? []
      : [
          makeProblem({ kind: 'wrong_review_list', example: versionKey }, () =>
            indexReview(versionKey),
          ),
        ],
});

const findRowTexts = async (versionKey: string): Promise<ReadonlySet<string>> =>
  new Set((await findExpectedRows(versionKey))?.rows.map(toText));

/** True if a version exists, and its review state is lost. Another check reports that, and a repair restores its rows. */
const hasLostState = async (versionKey: string): Promise<boolean> => {
  const id = parseVersionKey(versionKey);
  return id !== undefined && Boolean(await findVersion(id)) && !(await findReviewState(id));
};

/** Returns the check that the version of a row belongs to the list of that row. */
const checkRow = ({ v, k }: RowKey, recall: Recall): Check => {
  const owner = findRowOwner(k);
  const text = toText({ v, k });
  return {
    subject: `row of a review ${text}`,
    examine: async () => {
      if ((await recall(owner)).has(text) || (await findRowTexts(owner)).has(text)) return [];
      if ((await getItem(reviewRowsTable, { v, k })) === undefined) return [];
      if (await hasLostState(owner)) return [];
      return [
        makeProblem({ kind: 'orphaned_review_row', example: text }, () =>
          deleteAlone(deleteItem(reviewRowsTable, { v, k })),
        ),
      ];
    },
  };
};

/** Returns a check for each version that has a review state, and one for each row of a list of reviews. */
export const listReviewChecks = (items: readonly RowKey[]): Check[] => {
  const recall = createRecall(findRowTexts);
  return [
    ...items.filter(({ k }) => k === reviewStateKey).map(({ v }) => checkVersion(v)),
    ...items.filter(({ v }) => isReviewsPartition(v)).map((row) => checkRow(row, recall)),
  ];
};
