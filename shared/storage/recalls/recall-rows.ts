import type { RecallPage, RecallsQuery } from '../../api/schemas/recall.ts';
import { takeFitting } from '../../domain/answer-size.ts';
import { type PackageId, toVersionKey } from '../../domain/packages/package-id.ts';
import type { Recall } from '../../domain/recalls/recall.ts';
import { getItem, queryItems, queryPage, queryPartition } from '../dynamodb/read.ts';
import { defineTable } from '../dynamodb/table.ts';
import { putItem, setFields, updateItem, type Write } from '../dynamodb/write.ts';

/** Row of a recall. Each recall has one in the list of all recalls, and one under its record. */
interface RecallRow extends PackageId {
  readonly v: string;
  readonly k: string;
  readonly record: string;
  readonly reason: string;
  /** ISO 8601. */
  readonly recalled_at: string;
  /** Start of the recalled approval, ISO 8601; null if it is unknown. */
  readonly approved_at: string | null;
  /** True if the version was published long before the record: the number of such recalls in a day has a bound. */
  readonly is_old: boolean;
  /** When the recall ended, ISO 8601; null while it is in force. */
  readonly ended_at: string | null;
}

const recallsTable = defineTable<RecallRow>('reviews');

/** Partition with all recalls in the order of their times. No version key begins with `#`. */
const allRecalls = '#recalls';

const toRecordPartition = (record: string): string => `#recall#${record}`;

interface RecallOf {
  readonly id: PackageId;
  readonly recall: Pick<Recall, 'record' | 'at'>;
}

const toListKey = ({ id, recall: { at } }: RecallOf) => ({
  v: allRecalls,
  k: `${at}#${toVersionKey(id)}`,
});

const toRecordKey = ({ id, recall: { record, at } }: RecallOf) => ({
  v: toRecordPartition(record),
  k: `${toVersionKey(id)}#${at}`,
});

const makeRow = (
  { id: { ecosystem, name, version }, recall: { record, at: recalled_at } }: RecallOf,
  about: Pick<RecallRow, 'reason' | 'approved_at' | 'is_old'>,
) => ({ ecosystem, name, version, record, recalled_at, ...about, ended_at: null });

/** Returns the writes that put the rows of a recall. */
export const putRecall = (
  of: RecallOf,
  about: Pick<RecallRow, 'reason' | 'approved_at' | 'is_old'>,
): Write[] =>
  [toListKey(of), toRecordKey(of)].map((key) =>
    putItem(recallsTable, { ...key, ...makeRow(of, about) }),
  );

/** Returns the write that puts the row of a further record of a recall. */
export const putFurtherRecord = (of: RecallOf, reason: string): Write =>
  putItem(recallsTable, {
    ...toRecordKey(of),
    ...makeRow(of, { reason, approved_at: null, is_old: false }),
  });

/** Returns the write that notes that a record names a version no longer. */
export const endRecord = (of: RecallOf, ended_at: string): Write =>
  updateItem(recallsTable, toRecordKey(of), { change: setFields({ ended_at }) });

/** Returns the reason of a recall by one of its records; undefined without a row of the record. */
export const findReason = async (of: RecallOf): Promise<string | undefined> =>
  (await getItem(recallsTable, toRecordKey(of)))?.reason;

/** Returns the write that notes the record that keeps a recall in force, and its reason. An undefined reason stays as it is. */
export const nameRecord = (of: RecallOf, reason: string | undefined): Write =>
  updateItem(recallsTable, toListKey(of), {
    change: setFields({ record: of.recall.record, ...(reason !== undefined && { reason }) }),
  });

/** Returns the writes that note the end of a recall. */
export const endRecall = (of: RecallOf, ended_at: string): Write[] => [
  updateItem(recallsTable, toListKey(of), { change: setFields({ ended_at }) }),
  endRecord(of, ended_at),
];

/** Returns the versions that a record recalls now. */
export const listRecalledBy = async (record: string): Promise<readonly PackageId[]> => {
  const rows = await queryPartition(recallsTable, toRecordPartition(record));
  return rows
    .filter(({ ended_at }) => ended_at === null)
    .map(({ ecosystem, name, version }) => ({ ecosystem, name, version }));
};

/** Returns a page of all recalls, newest first. Reads are eventually consistent. */
export const listRecalls = async ({ before, limit }: RecallsQuery): Promise<RecallPage> => {
  const { items, next } = await queryPage(
    recallsTable,
    {
      KeyConditionExpression: before === undefined ? 'v = :all' : 'v = :all AND k < :before',
      ExpressionAttributeValues: {
        ':all': allRecalls,
        ...(before !== undefined && { ':before': before }),
      },
      ScanIndexForward: false,
      ConsistentRead: false,
    },
    { limit },
  );
  const shown = takeFitting(items);
  return {
    recalls: shown.map(({ v: _, k: __, is_old: ___, ...recall }) => recall),
    next: next || shown.length < items.length ? (shown.at(-1)?.k ?? null) : null,
  };
};

/**
 * Returns the number of recalls of old versions since a time. With `most` recalls or more, returns `most`: not all of them are
 * read, and the unread ones may be of old versions.
 */
export const countOldRecallsSince = async (since: Date, most: number): Promise<number> => {
  const range = {
    KeyConditionExpression: 'v = :all AND k >= :since',
    ExpressionAttributeValues: { ':all': allRecalls, ':since': since.toISOString() },
  };
  const rows = await queryItems(recallsTable, range, most);
  return rows.length < most ? rows.filter(({ is_old }) => is_old).length : most;
};
