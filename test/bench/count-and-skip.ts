/** The list with an index in the order of submissions: counts all rows for the total, and reads up to the page. */
import { QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import { readTableName } from '../../shared/api/settings/env.ts';
import type { CataloguePage } from '../../shared/storage/catalogue/browse.ts';
import type { CatalogueQuery } from '../../shared/storage/catalogue/catalogue.ts';
import { toBrowsePartition } from '../../shared/storage/catalogue/catalogue-keys.ts';
import { type BrowseRow, readRow } from '../../shared/storage/catalogue/rows.ts';
import { dynamodb } from '../../shared/storage/dynamodb/dynamodb.ts';
import type { StoredItem } from '../../shared/storage/dynamodb/table.ts';

type QueryPart = Partial<QueryCommandInput>;

/** The rows in the order of submissions. The first partition is enough for a million versions. */
const rangeOf = (query: CatalogueQuery): QueryCommandInput => ({
  TableName: readTableName('catalogue'),
  KeyConditionExpression: 'p = :partition',
  ExpressionAttributeValues: { ':partition': toBrowsePartition(0, query) },
  ConsistentRead: true,
  ScanIndexForward: query.order.isAscending,
});

/** Reads until the end of the range, or until the limit. */
const readOn = async (range: QueryCommandInput, part: QueryPart, wanted: number) => {
  const rows: BrowseRow[] = [];
  let count = 0;
  let start = part.ExclusiveStartKey as StoredItem | undefined;
  do {
    const page = await dynamodb.send(
      new QueryCommand({
        ...range,
        ...part,
        ...(Number.isFinite(wanted) && { Limit: wanted - count }),
        ...(start && { ExclusiveStartKey: start }),
      }),
    );
    rows.push(...((page.Items ?? []) as unknown as BrowseRow[]));
    count += page.Count ?? 0;
    start = page.LastEvaluatedKey;
  } while (start && count < wanted);
  return { rows, count, start };
};

const countOnly = { Select: 'COUNT' } as const;

const skipAndRead = async (range: QueryCommandInput, query: CatalogueQuery) => {
  if (query.offset === 0) return (await readOn(range, {}, query.limit)).rows;
  const { start } = await readOn(range, countOnly, query.offset);
  return start ? (await readOn(range, { ExclusiveStartKey: start }, query.limit)).rows : [];
};

/** A search through the index finds terms in names only: descriptions are not in the rows. */
const findNames = async (query: CatalogueQuery, term: string): Promise<CataloguePage> => {
  const range = rangeOf(query);
  const { rows } = await readOn(range, {}, Number.POSITIVE_INFINITY);
  const found = rows.filter(({ n }) => n.toLowerCase().includes(term));
  const packages = found.slice(query.offset, query.offset + query.limit).map(readRow);
  return { packages, total: found.length };
};

export const countAndSkip = async (query: CatalogueQuery): Promise<CataloguePage> => {
  if (query.search) return findNames(query, query.search.text);
  const range = rangeOf(query);
  const [{ count }, rows] = await Promise.all([
    readOn(range, countOnly, Number.POSITIVE_INFINITY),
    skipAndRead(range, query),
  ]);
  return { packages: rows.map(readRow), total: count };
};
