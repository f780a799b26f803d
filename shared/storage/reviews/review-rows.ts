import type { PackageDetail } from '../../api/schemas/package.ts';
import { type PackageId, toVersionKey } from '../../domain/packages/package-id.ts';
import type { Status } from '../../domain/review/status.ts';
import { type MeteredPage, queryPage } from '../dynamodb/read.ts';
import { defineTable } from '../dynamodb/table.ts';

/**
 * Row of a version in a list of reviews: the list of all pending versions, or the list of a batch. The index worker
 * derives it from the version and its review state, seconds after a submission, a decision, or a joined batch.
 */
export interface ReviewRow extends PackageId {
  readonly v: string;
  readonly k: string;
  readonly status: Status;
  readonly submitted_by: string | null;
  /** Label of the token of the submission. */
  readonly submitter: string | null;
}

export const reviewRowsTable = defineTable<ReviewRow>('reviews');

/** Partition with the rows of pending versions. No version key begins with `#`. */
export const pendingPartition = '#pending';

const batchPrefix = '#batch#';

/** Returns the partition with the rows of a batch; without a batch, the one of all pending versions. */
export const toReviewsPartition = (batch: string | undefined): string =>
  batch === undefined ? pendingPartition : `${batchPrefix}${batch}`;

/** True if the partition has rows of reviews. */
export const isReviewsPartition = (v: string): boolean =>
  v === pendingPartition || v.startsWith(batchPrefix);

/** Sort key of a version's row: the lists are in the order of submission. */
export const toRowKey = (version: PackageId & { readonly submitted_at: string }): string =>
  `${version.submitted_at}#${toVersionKey(version)}`;

/** Returns the version key in the sort key of a row. */
export const findRowOwner = (k: string): string => k.slice(k.indexOf('#') + 1);

/** Returns the rows that a version must have: one in each of its batches, and one more while it is pending. */
export const makeReviewRows = (
  version: PackageDetail,
  batches: readonly string[],
): readonly ReviewRow[] => {
  const { ecosystem, name, status, submitted_by, submitted_token_label } = version;
  const row = {
    k: toRowKey(version),
    ...{ ecosystem, name, version: version.version, status, submitted_by },
    submitter: submitted_token_label,
  };
  const partitions = [
    ...(status === 'pending' ? [pendingPartition] : []),
    ...batches.map(toReviewsPartition),
  ];
  return partitions.map((v) => ({ v, ...row }));
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
