import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import type { PackageListItem } from '../../../shared/api/schemas/package.ts';
import { readTableName } from '../../../shared/api/settings/env.ts';
import type { BrowseQuery, CataloguePage } from '../../../shared/storage/catalogue/browse.ts';
import { dynamodb } from '../../../shared/storage/dynamodb/dynamodb.ts';
import { type PackageItem, toListItem } from '../../../shared/storage/packages/package-item.ts';

/** A list as a caller asks for it. */
export interface OracleQuery extends BrowseQuery {
  readonly search?: string;
}

/** The whole truth: every package version, in the order of submission. */
export const readTruth = async (): Promise<PackageItem[]> => {
  const items: PackageItem[] = [];
  let start: Record<string, unknown> | undefined;
  do {
    const page = await dynamodb.send(
      new ScanCommand({
        TableName: readTableName('packages'),
        ConsistentRead: true,
        ...(start && { ExclusiveStartKey: start }),
      }),
    );
    items.push(...((page.Items ?? []) as unknown as PackageItem[]));
    start = page.LastEvaluatedKey;
  } while (start);
  return items
    .filter(({ sequence }) => sequence)
    .sort((a, b) => (a.sequence < b.sequence ? -1 : 1));
};

const lower = (text: string): string => text.normalize('NFKC').toLowerCase();

/** What the documentation says of search, written down a second time and without any cleverness. */
const isFound = (item: PackageItem, search: string): boolean => {
  const term = lower(search).trim();
  const asOne = (text: string): string =>
    item.ecosystem === 'pypi' ? text.replace(/[-_.]/g, '-') : text;
  const name = asOne(lower(item.name));
  if (term.length < 3) return name.startsWith(asOne(term));
  if (name.includes(asOne(term))) return true;
  const description = lower(item.description ?? '');
  return [...description].some((_, at) => {
    const isWordStart = /[\p{L}\p{N}]/u.test(description[at] ?? '');
    const isInside = /[\p{L}\p{N}]/u.test(description[at - 1] ?? ' ');
    return isWordStart && !isInside && description.startsWith(term, at);
  });
};

/** The page that the truth gives. */
export const expectedPage = (truth: readonly PackageItem[], query: OracleQuery): CataloguePage => {
  const { search, ecosystem, status, order, limit, offset } = query;
  const matching: PackageListItem[] = truth
    .filter((item) => ecosystem === undefined || item.ecosystem === ecosystem)
    .filter((item) => status === undefined || item.status === status)
    .filter((item) => search === undefined || isFound(item, search))
    .map(toListItem);
  if (!order.isAscending) matching.reverse();
  return { packages: matching.slice(offset, offset + limit), total: matching.length };
};
