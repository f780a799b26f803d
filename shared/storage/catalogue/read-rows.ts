import type { Status } from '../../domain/review/status.ts';
import type { Ecosystem } from '../../ecosystems/ecosystem.ts';
import { queryItems } from '../dynamodb/read.ts';
import { formatSequenceNumber } from '../packages/version-keys.ts';
import { chooseBrowseIndex, toBrowsePartition } from './catalogue-keys.ts';
import type { Order } from './order.ts';
import { type BrowseRow, browseRowsTable } from './rows.ts';

/** Filter and order of browse rows. */
export interface RowsQuery {
  readonly ecosystem?: Ecosystem | undefined;
  readonly status?: Status | undefined;
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
  const { name, sortKey, prefix } = chooseBrowseIndex(filter);
  const start = `${prefix}${formatSequenceNumber(from)}`;
  const end = `${prefix}${to === undefined ? '~' : formatSequenceNumber(to)}`;
  return queryItems(
    browseRowsTable,
    {
      ...(name && { IndexName: name }),
      KeyConditionExpression: 'p = :partition AND #position BETWEEN :low AND :high',
      ExpressionAttributeNames: { '#position': sortKey },
      ExpressionAttributeValues: {
        ':partition': toBrowsePartition(partition),
        // Keys are never empty, and a blank sorts before all of them.
        ':low': order.isAscending ? start : prefix || ' ',
        ':high': order.isAscending ? end : start,
      },
      ScanIndexForward: order.isAscending,
    },
    count,
  );
};
