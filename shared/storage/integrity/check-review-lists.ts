import { isDeepStrictEqual } from 'node:util';
import { batchGet, getItem, type ReadOptions } from '../dynamodb/read.ts';
import { typeItem } from '../dynamodb/table.ts';
import { deleteItem } from '../dynamodb/write.ts';
import { deleteAlone } from '../dynamodb/write-alone.ts';
import { parseVersionKey } from '../packages/parse-version-key.ts';
import { findVersion } from '../packages/write-version.ts';
import { saveBatch } from '../reviews/batch-list.ts';
import { findExpectedRows, indexReview } from '../reviews/index-reviews.ts';
import { isReviewsPartition } from '../reviews/review-lists.ts';
import {
  type ExpectedRows,
  findReviewRows,
  findRowOwner,
  type ReviewRow,
  reviewRowsTable,
} from '../reviews/review-rows.ts';
import {
  findReviewState,
  findReviewStates,
  reviewStateKey,
  reviewStatesTable,
} from '../reviews/review-state.ts';
import { type Check, createRecall, makeProblem, type Recall } from './check.ts';

/** Check of the lists of reviews: those of pending versions, and of each batch, label and license. */

interface RowKey {
  readonly v: string;
  readonly k: string;
}

const toText = ({ v, k }: RowKey): string => `${v} ${k}`;

type StoredRows = ReadonlyMap<string, ReviewRow>;

/** Returns the stored rows at the keys of expected and unwanted ones, by key. */
const readRows = async (
  expected: readonly ExpectedRows[],
  options: ReadOptions = {},
): Promise<StoredRows> => {
  const keys = expected.flatMap(({ rows, unwanted }) =>
    [...rows, ...unwanted].map(({ v, k }) => ({ v, k })),
  );
  const rows = await batchGet(reviewRowsTable, keys, options);
  return new Map(rows.map((row) => [toText(row), row]));
};

const areRowsRight = ({ rows, unwanted }: ExpectedRows, stored: StoredRows): boolean =>
  rows.every((row) => isDeepStrictEqual(stored.get(toText(row)), row)) &&
  !unwanted.some((key) => stored.has(toText(key)));

/** Returns true if a version has exactly the rows that it must have. */
const hasRightRows = async (versionKey: string): Promise<boolean> => {
  const expected = await findExpectedRows(versionKey);
  return !expected || areRowsRight(expected, await readRows([expected]));
};

/** Returns the rows that follow from an item of a review state; none if it is damaged. */
const makeRowsOf = (item: RowKey): ExpectedRows[] => {
  const rows = findReviewRows(item.v, typeItem(reviewStatesTable, { ...item }));
  return rows ? [rows] : [];
};

/**
 * Returns a quick test of the versions of these review states. A few batch reads serve all of them. They may miss the last second:
 * what looks wrong is read again.
 */
const createRowsTest = (states: readonly RowKey[]) => {
  const expected = new Map(states.map((state) => [state.v, makeRowsOf(state)]));
  let stored: Promise<StoredRows> | undefined;
  return async (versionKey: string): Promise<boolean> => {
    stored ??= readRows([...expected.values()].flat(), { eventual: true });
    const [own] = expected.get(versionKey) ?? [];
    return own !== undefined && areRowsRight(own, await stored);
  };
};

/** Writes the rows of a version, and those of its batches in the list of batches: on the day of its submission. */
const repairLists = async (versionKey: string): Promise<void> => {
  await indexReview(versionKey);
  const id = parseVersionKey(versionKey);
  const head = id && (await findReviewState(id));
  if (!head) return;
  for (const batch of head.batches) await saveBatch(batch, new Date(head.submitted_at));
};

const checkVersion = (
  versionKey: string,
  looksRight: (versionKey: string) => Promise<boolean>,
): Check => ({
  subject: `lists of reviews with ${versionKey}`,
  looksRight: () => looksRight(versionKey),
  examine: async () =>
    (await hasRightRows(versionKey))
      ? []
      : [
          makeProblem({ kind: 'wrong_review_list', example: versionKey }, () =>
            repairLists(versionKey),
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

/**
 * Returns a quick test of these rows: true if the version of a row must have it. A few batch reads serve all of them. They may miss
 * the last second: what looks wrong is read again.
 */
const createOwnersTest = (rows: readonly RowKey[]) => {
  let known: Promise<ReadonlySet<string>> | undefined;
  const readOwned = async (): Promise<ReadonlySet<string>> => {
    const owners = [...new Set(rows.map(({ k }) => findRowOwner(k)))];
    const ids = owners.flatMap((owner) => parseVersionKey(owner) ?? []);
    const states = await findReviewStates(ids, { eventual: true });
    return new Set(
      [...states].flatMap(([owner, state]) => findReviewRows(owner, state)?.rows.map(toText) ?? []),
    );
  };
  return async (row: RowKey): Promise<boolean> => {
    known ??= readOwned();
    return (await known).has(toText(row));
  };
};

/** Returns the check that the version of a row belongs to the list of that row. */
const checkRow = (
  { v, k }: RowKey,
  recall: Recall,
  looksRight: (row: RowKey) => Promise<boolean>,
): Check => {
  const owner = findRowOwner(k);
  const text = toText({ v, k });
  return {
    subject: `row of a review ${text}`,
    looksRight: () => looksRight({ v, k }),
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
  const states = items.filter(({ k }) => k === reviewStateKey);
  const looksRight = createRowsTest(states);
  const rows = items.filter(({ v }) => isReviewsPartition(v));
  const isOwned = createOwnersTest(rows);
  return [
    ...states.map(({ v }) => checkVersion(v, looksRight)),
    ...rows.map((row) => checkRow(row, recall, isOwned)),
  ];
};
