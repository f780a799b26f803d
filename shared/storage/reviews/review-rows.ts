import {
  type AutomaticSubmission,
  mostPendingUpdates,
  type SubmissionCause,
} from '../../domain/review/automatic-submission.ts';
import type { Status } from '../../domain/review/status.ts';
import { type MeteredPage, queryPage, type Range } from '../dynamodb/read.ts';
import { defineTable } from '../dynamodb/table.ts';
import type { ReviewState } from './review-state.ts';

/**
 * Row of a version in a list of reviews: the list of all pending versions, the list of pending updates, or the list of a
 * batch. The index worker derives it from the review state, seconds after a submission, a decision, or a joined batch.
 */
export interface ReviewRow {
  readonly v: string;
  readonly k: string;
  readonly status: Status;
  readonly submitted_by: string | null;
  /** Label of the token of the submission. */
  readonly submitter: string | null;
  /** Why the registry submitted the version itself; absent if a request of the API submitted it. */
  readonly cause?: SubmissionCause;
  /** Number of decisions on the version when the row was written. */
  readonly revision: number;
}

export const reviewRowsTable = defineTable<ReviewRow>('reviews');

/** Partition with the rows of pending versions. No version key begins with `#`. */
const pendingPartition = '#pending';

/**
 * Partition with the rows of pending updates and security fixes by the registry, before their first decision. One query of these
 * few rows finds the older updates. An expired approval has no row, so that it stays in the queue.
 */
const updatesPartition = '#updates';

const batchPrefix = '#batch#';

/** Returns the partition with the rows of a batch; without a batch, the one of all pending versions. */
export const toReviewsPartition = (batch: string | undefined): string =>
  batch === undefined ? pendingPartition : `${batchPrefix}${batch}`;

/** True if the partition has rows of reviews. */
export const isReviewsPartition = (v: string): boolean =>
  [pendingPartition, updatesPartition].includes(v) || v.startsWith(batchPrefix);

/** True for a row that a version has only while it is pending: in the list of all pending versions, or of updates. */
export const isPendingRow = ({ v }: Pick<ReviewRow, 'v'>): boolean => !v.startsWith(batchPrefix);

/** True for a row of a pending update or security fix that the registry submitted, before the first decision. */
const isUpdateRow = ({
  status,
  cause,
  revision,
}: Pick<ReviewRow, 'status' | 'cause' | 'revision'>): boolean =>
  status === 'pending' && revision === 0 && (cause === 'update' || cause === 'security_fix');

/** Returns the version key in the sort key of a row. */
export const findRowOwner = (k: string): string => k.slice(k.indexOf('#') + 1);

type RowKey = Pick<ReviewRow, 'v' | 'k'>;

/** Rows that a version must have in the lists of reviews. */
export interface ExpectedRows {
  /** One row in each of its batches, and one in the list of pending versions while it is pending; for an update, one more. */
  readonly rows: readonly ReviewRow[];
  /** Keys of the rows in the lists of pending versions and of updates that a decided version must not have. */
  readonly unwanted: readonly RowKey[];
}

/** Fields of a review state that its rows follow from. */
export type RowSource = Pick<
  ReviewState,
  'status' | 'submitted_at' | 'submitted_by' | 'submitter' | 'batches' | 'revision'
> & { readonly automatic?: Pick<AutomaticSubmission, 'cause'> };

/** Returns the rows that follow from a review state. Lists are in the order of submission, the one of updates by package. */
export const makeReviewRows = (
  versionKey: string,
  { status, submitted_at, submitted_by, submitter, batches, revision, automatic }: RowSource,
): ExpectedRows => {
  const k = `${submitted_at}#${versionKey}`;
  const cause = automatic?.cause;
  const common = { status, submitted_by, submitter, ...(cause && { cause }), revision };
  const isPending = status === 'pending';
  const pending = { v: pendingPartition, k };
  const update = { v: updatesPartition, k: `#${versionKey}` };
  const wanted = [
    ...(isPending ? [pending] : []),
    ...(isUpdateRow(common) ? [update] : []),
    ...batches.map((batch) => ({ v: toReviewsPartition(batch), k })),
  ];
  const unwanted = [
    ...(isPending ? [] : [pending]),
    ...(cause !== undefined && !isUpdateRow(common) ? [update] : []),
  ];
  return { rows: wanted.map((key) => ({ ...key, ...common })), unwanted };
};

const selectPartition = (partition: string): Range => ({
  KeyConditionExpression: 'v = :partition',
  ExpressionAttributeValues: { ':partition': partition },
  ConsistentRead: false,
});

/**
 * Returns the rows of pending updates by package and version, at most 1,000. Makes one call, of half a read unit for few rows
 * and of about 14 for 1,000. Reads are eventually consistent.
 */
export const readUpdateRows = async (): Promise<readonly ReviewRow[]> => {
  const { items } = await queryPage(reviewRowsTable, selectPartition(updatesPartition), {
    limit: mostPendingUpdates,
  });
  return items;
};

/** Returns a page of rows of a list, in the order of submission. Reads are eventually consistent. */
export const readReviewRows = (
  partition: string,
  { after, limit }: { readonly after: string | undefined; readonly limit: number },
): Promise<MeteredPage<ReviewRow>> =>
  queryPage(reviewRowsTable, selectPartition(partition), {
    start: after === undefined ? undefined : { v: partition, k: after },
    limit,
  });
