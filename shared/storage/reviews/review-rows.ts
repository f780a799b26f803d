import type { Status } from '../../domain/review/status.ts';
import { type MeteredPage, queryPage } from '../dynamodb/read.ts';
import { defineTable } from '../dynamodb/table.ts';
import type { ReviewState } from './review-state.ts';

/**
 * Row of a version in a list of reviews: the list of all pending versions, or the list of a batch. The index worker
 * derives it from the review state, seconds after a submission, a decision, or a joined batch.
 */
export interface ReviewRow {
  readonly v: string;
  readonly k: string;
  readonly status: Status;
  readonly submitted_by: string | null;
  /** Label of the token of the submission. */
  readonly submitter: string | null;
  /** Number of decisions on the version when the row was written. */
  readonly revision: number;
}

export const reviewRowsTable = defineTable<ReviewRow>('reviews');

/** Partition with the rows of pending versions. No version key begins with `#`. */
const pendingPartition = '#pending';

const batchPrefix = '#batch#';

/** Returns the partition with the rows of a batch; without a batch, the one of all pending versions. */
export const toReviewsPartition = (batch: string | undefined): string =>
  batch === undefined ? pendingPartition : `${batchPrefix}${batch}`;

/** True if the partition has rows of reviews. */
export const isReviewsPartition = (v: string): boolean =>
  v === pendingPartition || v.startsWith(batchPrefix);

/** True for a row in the list of all pending versions. */
export const isPendingRow = ({ v }: Pick<ReviewRow, 'v'>): boolean => v === pendingPartition;

/** Returns the version key in the sort key of a row. */
export const findRowOwner = (k: string): string => k.slice(k.indexOf('#') + 1);

/** Rows that a version must have in the lists of reviews. */
export interface ExpectedRows {
  /** One row in each of its batches, and one in the list of pending versions while it is pending. */
  readonly rows: readonly ReviewRow[];
  /** Key of the row in the list of pending versions that a decided version must not have; undefined while it is pending. */
  readonly unwanted: { readonly v: string; readonly k: string } | undefined;
}

/** Fields of a review state that its rows follow from. */
export type RowSource = Pick<
  ReviewState,
  'status' | 'submitted_at' | 'submitted_by' | 'submitter' | 'batches' | 'revision'
>;

/** Returns the rows that follow from a review state. The lists are in the order of submission. */
export const makeReviewRows = (
  versionKey: string,
  { status, submitted_at, submitted_by, submitter, batches, revision }: RowSource,
): ExpectedRows => {
  const k = `${submitted_at}#${versionKey}`;
  const isPending = status === 'pending';
  const partitions = [...(isPending ? [pendingPartition] : []), ...batches.map(toReviewsPartition)];
  return {
    rows: partitions.map((v) => ({ v, k, status, submitted_by, submitter, revision })),
    unwanted: isPending ? undefined : { v: pendingPartition, k },
  };
};

/** Returns a page of rows of a list, in the order of submission. Reads are eventually consistent. */
export const readReviewRows = (
  partition: string,
  { after, limit }: { readonly after: string | undefined; readonly limit: number },
): Promise<MeteredPage<ReviewRow>> =>
  queryPage(
    reviewRowsTable,
    {
      KeyConditionExpression: 'v = :partition',
      ExpressionAttributeValues: { ':partition': partition },
      ConsistentRead: false,
    },
    { start: after === undefined ? undefined : { v: partition, k: after }, limit },
  );
