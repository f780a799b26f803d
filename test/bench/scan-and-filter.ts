/** The simplest list: reads every version, and keeps those that match. */
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import type { PackageListItem } from '../../shared/api/schemas/package.ts';
import { readTableName } from '../../shared/api/settings/env.ts';
import { matchesSearch } from '../../shared/domain/packages/search.ts';
import type { CataloguePage } from '../../shared/storage/catalogue/browse.ts';
import type { CatalogueQuery } from '../../shared/storage/catalogue/catalogue.ts';
import { dynamodb } from '../../shared/storage/dynamodb/dynamodb.ts';
import type { StoredItem } from '../../shared/storage/dynamodb/table.ts';
import { type PackageItem, toListItem } from '../../shared/storage/packages/package-item.ts';

/** The fields of a version that lists and searches use. */
type ScannedVersion = PackageListItem & Pick<PackageItem, 'description' | 'sequence'>;

const scannedVersion = (item: PackageItem): ScannedVersion => ({
  ...toListItem(item),
  description: item.description,
  sequence: item.sequence,
});

/** The rows that every such list reads. */
export const scanVersions = async (): Promise<ScannedVersion[]> => {
  const versions: ScannedVersion[] = [];
  let start: StoredItem | undefined;
  do {
    const page = await dynamodb.send(
      new ScanCommand({
        TableName: readTableName('packages'),
        ConsistentRead: true,
        ...(start && { ExclusiveStartKey: start }),
      }),
    );
    for (const item of (page.Items ?? []) as unknown as PackageItem[]) {
      // The counter of submissions is not a version.
      if (item.ecosystem !== undefined) versions.push(scannedVersion(item));
    }
    start = page.LastEvaluatedKey;
  } while (start);
  return versions;
};

const matches = (version: ScannedVersion, { ecosystem, status, search }: CatalogueQuery): boolean =>
  (ecosystem === undefined || version.ecosystem === ecosystem) &&
  (status === undefined || version.status === status) &&
  (search === undefined || matchesSearch(version, search));

/** Returns the page from the versions of a table scan. */
export const filterVersions = (
  versions: readonly ScannedVersion[],
  query: CatalogueQuery,
): CataloguePage => {
  const found = versions.filter((version) => matches(version, query));
  const direction = query.order.isAscending ? 1 : -1;
  found.sort((a, b) => (a.sequence < b.sequence ? -direction : direction));
  const packages = found.slice(query.offset, query.offset + query.limit).map(toListItem);
  return { packages, total: found.length };
};
