import { mostPendingUpdates } from '../../domain/review/automatic-submission.ts';
import { queryPage, type Range } from '../dynamodb/read.ts';
import { updatesPartition } from './review-lists.ts';
import { type ReviewRow, reviewRowsTable } from './review-rows.ts';

/** A part of a list of reviews, and its direction. */
export interface RowRange {
  readonly partition: string;
  /** First and last beginning of the sort keys, such as ranks; absent for the whole list. */
  readonly between?: readonly [first: string, last: string];
  readonly isNewestFirst?: boolean;
}

const toRange = ({ partition, between, isNewestFirst = false }: RowRange): Range => ({
  KeyConditionExpression: `v = :partition${between ? ' AND k BETWEEN :first AND :last' : ''}`,
  ExpressionAttributeValues: {
    ':partition': partition,
    // `~` sorts after the time that follows a rank.
    ...(between && { ':first': between[0], ':last': `${between[1]}~` }),
  },
  ScanIndexForward: !isNewestFirst,
  ConsistentRead: false,
});

/**
 * Returns the rows of pending updates by package and version, at most 1,000. Makes one call, of half a read unit for few rows
 * and of about 14 for 1,000. Reads are eventually consistent.
 */
export const readUpdateRows = async (): Promise<readonly ReviewRow[]> => {
  const range = toRange({ partition: updatesPartition });
  const { items } = await queryPage(reviewRowsTable, range, { limit: mostPendingUpdates });
  return items;
};

/** Part of a list that one call reads: at most `limit` rows after a sort key. */
interface RowPart {
  readonly after: string | undefined;
  readonly limit: number;
}

/** Rows that one call found. */
export interface RowPage {
  readonly rows: readonly ReviewRow[];
  /** True if the list continues after the last row. */
  readonly hasMore: boolean;
}

/** Returns a page of rows of a list. Reads are eventually consistent. */
export const readReviewRows = async (
  range: RowRange,
  { after, limit }: RowPart,
): Promise<RowPage> => {
  const start = after === undefined ? undefined : { v: range.partition, k: after };
  const { items, next } = await queryPage(reviewRowsTable, toRange(range), { start, limit });
  return { rows: items, hasMore: next !== undefined };
};
