import { queryPages, type Range } from '../dynamodb/read.ts';
import { toSearchPartition } from './catalogue-keys.ts';
import { type SearchRow, searchRowsTable } from './rows.ts';

/** Range of search rows whose texts have the same beginning. */
export interface TextRange {
  readonly beginning: string;
  readonly rest: string;
  readonly startsName: boolean;
}

/** One read of a range in a shard of search rows. */
interface RangeQuery {
  readonly range: TextRange;
  readonly shard: number;
  /** True for an eventually consistent read, which may miss changes of the last second and costs half. */
  readonly eventual: boolean;
  /** Start of the read in epoch milliseconds. */
  readonly readAt: number;
}

export interface RangeRead extends RangeQuery {
  readonly rows: readonly SearchRow[];
}

/** Counts rows of a search, and throws an error if there are too many. */
export type RowCount = (read: number) => void;

const selectRange = ({ range, shard, eventual }: RangeQuery): Range => ({
  KeyConditionExpression: range.rest
    ? 'p = :partition AND begins_with(o, :rest)'
    : 'p = :partition',
  ExpressionAttributeValues: {
    ':partition': toSearchPartition(shard, range.beginning, range.startsName),
    ...(range.rest && { ':rest': range.rest }),
  },
  ConsistentRead: !eventual,
});

/** Returns all rows of a range. */
export const readRange = async (query: RangeQuery, count: RowCount): Promise<RangeRead> => {
  const rows: SearchRow[] = [];
  for await (const page of queryPages(searchRowsTable, selectRange(query))) {
    count(page.length);
    rows.push(...page);
  }
  return { ...query, rows };
};
