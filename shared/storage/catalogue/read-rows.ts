import { queryItems } from '../dynamodb/read.ts';
import { formatSequenceNumber } from '../packages/version-keys.ts';
import { type BrowseFilter, toBrowsePartition } from './catalogue-keys.ts';
import type { Order } from './order.ts';
import { type BrowseRow, browseRowsTable } from './rows.ts';

/** Filter and order of browse rows. */
export interface RowsQuery extends BrowseFilter {
  readonly order: Order;
}

/** Range of rows in one partition. */
interface RowRange {
  readonly partition: number;
  /** First sequence number in list order; `to` is the last one in ascending order. */
  readonly from: number;
  readonly to?: number;
  readonly count: number;
}

/** Returns rows of one partition from a sequence number on, in list order. */
export const readRows = (
  { order, ...filter }: RowsQuery,
  { partition, from, to, count }: RowRange,
): Promise<BrowseRow[]> => {
  const start = formatSequenceNumber(from);
  const end = to === undefined ? '~' : formatSequenceNumber(to);
  return queryItems(
    browseRowsTable,
    {
      KeyConditionExpression: 'p = :partition AND o BETWEEN :low AND :high',
      ExpressionAttributeValues: {
        ':partition': toBrowsePartition(partition, filter),
        // Keys are never empty, and a blank sorts before all of them.
        ':low': order.isAscending ? start : ' ',
        ':high': order.isAscending ? end : start,
      },
      ScanIndexForward: order.isAscending,
    },
    count,
  );
};
