import type { Status } from '../../domain/review/status.ts';
import type { Ecosystem } from '../../ecosystems/ecosystem.ts';
import { queryItems } from '../dynamodb/read.ts';
import { formatSequenceNumber } from '../packages/version-keys.ts';
import { chooseBrowseIndex, toBrowsePartition } from './catalogue-keys.ts';
import type { Order } from './order.ts';
import { type BrowseRow, browseRowsTable } from './rows.ts';

/** Which rows, and in which order. */
export interface RowsQuery {
  readonly ecosystem?: Ecosystem | undefined;
  readonly status?: Status | undefined;
  readonly order: Order;
}

/** A stretch of one partition. */
interface RowRange {
  readonly partition: number;
  /** The first ordinal in the order of the list; `to` is the last one going up. */
  readonly from: number;
  readonly to?: number;
  readonly count: number;
}

/** Reads rows of one partition from an ordinal on, in the order of the list. */
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
        // No key is empty; a blank sorts before every one.
        ':low': order.isAscending ? start : prefix || ' ',
        ':high': order.isAscending ? end : start,
      },
      ScanIndexForward: order.isAscending,
    },
    count,
  );
};
