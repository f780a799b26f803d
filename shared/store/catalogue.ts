import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { tableName } from '../config/env.ts';
import type { Ecosystem } from '../domain/ecosystem.ts';
import { matchesSearch, type SearchTerm } from '../domain/search.ts';
import type { Status } from '../domain/status.ts';
import type { PackageListItem } from '../schemas/package.ts';
import { dynamodb } from './dynamodb.ts';
import { type PackageItem, toListItem } from './package-item.ts';

/** Which package versions to list, in which order, and which stretch of them. */
export interface CatalogueQuery {
  readonly search?: SearchTerm | undefined;
  readonly ecosystem?: Ecosystem | undefined;
  readonly status?: Status | undefined;
  readonly newestFirst: boolean;
  readonly limit: number;
  readonly offset: number;
}

/** One stretch of the list, and how many match in all. */
export interface CataloguePage {
  readonly packages: PackageListItem[];
  readonly total: number;
}

const readAll = async (): Promise<PackageItem[]> => {
  const items: PackageItem[] = [];
  let start: Record<string, unknown> | undefined;
  do {
    const page = await dynamodb.send(
      new ScanCommand({
        TableName: tableName('packages'),
        ConsistentRead: true,
        FilterExpression: 'attribute_exists(ordinal)',
        ...(start && { ExclusiveStartKey: start }),
      }),
    );
    items.push(...((page.Items ?? []) as unknown as PackageItem[]));
    start = page.LastEvaluatedKey;
  } while (start);
  return items;
};

/** Lists package versions in the order of their submission. */
export const listPackages = async (query: CatalogueQuery): Promise<CataloguePage> => {
  const { search, ecosystem, status, newestFirst, limit, offset } = query;
  const direction = newestFirst ? -1 : 1;
  const matching = (await readAll())
    .filter(
      (item) =>
        (!ecosystem || item.ecosystem === ecosystem) &&
        (!status || item.status === status) &&
        (!search || matchesSearch(item, search)),
    )
    .sort((a, b) => (a.ordinal < b.ordinal ? -direction : direction));
  return {
    packages: matching.slice(offset, offset + limit).map(toListItem),
    total: matching.length,
  };
};
