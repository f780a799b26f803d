import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { tableName } from '../../../config/env.ts';
import type { PackageId } from '../../../domain/package-id.ts';
import { batchGet } from '../../batch-get.ts';
import { dynamodb } from '../../dynamodb.ts';
import { packageItemKey } from '../../keys.ts';
import type { PackageItem } from '../../package-item.ts';
import { allCells, classOf } from '../cells.ts';
import { type CatalogueKey, isCounterKey } from '../keys.ts';
import { type BrowseRow, cellOfRow, type SearchRow } from '../rows.ts';
import { keyText, rowsOf } from './audit-versions.ts';
import type { AuditContext } from './findings.ts';
import { transactUnlessChanged } from './transact-unless-changed.ts';

const rowsAtATime = 500;

type Row = BrowseRow | SearchRow;

const idOf = (row: Row): PackageId => ({
  ecosystem: classOf(cellOfRow(row)).ecosystem,
  name: row.n,
  version: row.v,
});

const itemKeyText = (id: PackageId): string => packageItemKey(id).version_key;

/** The package versions that the rows say they belong to, those that there are. */
const readOwners = async (rows: readonly Row[]): Promise<Map<string, PackageItem>> => {
  const ids = new Map(rows.map((row) => [itemKeyText(idOf(row)), idOf(row)]));
  const items = await batchGet('packages', [...ids.values()].map(packageItemKey));
  return new Map((items as unknown as PackageItem[]).map((item) => [item.version_key, item]));
};

/** Whether the row can belong to a version at all. */
const isReadable = (row: Row): boolean =>
  typeof row.n === 'string' && typeof row.v === 'string' && allCells.includes(flagOf(row) ?? '');

const flagOf = ({ b, c }: Partial<BrowseRow & SearchRow>): string | undefined =>
  b?.slice(0, 1) ?? c;

/** Deletes what is no row, unless a writer has put one in its place: that one has another flag. */
const deleteUnreadable = (row: Row, { deadline }: AuditContext) => {
  const { p, o, b, c } = row as Partial<BrowseRow & SearchRow>;
  const [name, flag] = b === undefined ? ['c', c] : ['b', b];
  const condition =
    flag === undefined
      ? { ConditionExpression: 'attribute_not_exists(b) AND attribute_not_exists(c)' }
      : {
          ConditionExpression: '#flag = :flag',
          ExpressionAttributeNames: { '#flag': name },
          ExpressionAttributeValues: { ':flag': flag },
        };
  return transactUnlessChanged(
    [{ Delete: { TableName: tableName('catalogue'), Key: { p, o }, ...condition } }],
    deadline,
  );
};

/** Deletes a row, unless its version came meanwhile. */
const deleteRow = (row: Row, owner: PackageItem | undefined, { deadline }: AuditContext) =>
  transactUnlessChanged(
    [
      {
        ConditionCheck: {
          TableName: tableName('packages'),
          Key: packageItemKey(idOf(row)),
          ConditionExpression: owner ? 'ordinal = :ordinal' : 'attribute_not_exists(name_key)',
          ...(owner && { ExpressionAttributeValues: { ':ordinal': owner.ordinal } }),
        },
      },
      {
        Delete: {
          TableName: tableName('catalogue'),
          Key: { p: row.p, o: row.o },
          // After a restore, ordinals are drawn again: the key may have gone to another version by now.
          ConditionExpression: 'n = :name AND v = :version',
          ExpressionAttributeValues: { ':name': row.n, ':version': row.v },
        },
      },
    ],
    deadline,
  );

/** Tells orphans: rows whose version is not there, or would have no row with their key. */
const createOrphanTest = (owners: ReadonlyMap<string, PackageItem>, { layout }: AuditContext) => {
  const keysByOwner = new Map<PackageItem, ReadonlySet<string>>();
  const keysOf = (owner: PackageItem): ReadonlySet<string> => {
    const keys = keysByOwner.get(owner) ?? new Set(rowsOf(owner, layout).map(keyText));
    keysByOwner.set(owner, keys);
    return keys;
  };
  return (row: Row): boolean => {
    const owner = owners.get(itemKeyText(idOf(row)));
    return owner === undefined || !keysOf(owner).has(keyText(row));
  };
};

/**
 * Looks at some rows for those that no package version has.
 * @returns where to go on; undefined after the last row
 */
export const auditRows = async (
  after: Record<string, string> | undefined,
  context: AuditContext,
): Promise<Record<string, string> | undefined> => {
  const page = await dynamodb.send(
    new ScanCommand({
      TableName: tableName('catalogue'),
      ConsistentRead: true,
      Limit: rowsAtATime,
      ...(after && { ExclusiveStartKey: after }),
    }),
  );
  const items = (page.Items ?? []) as unknown as CatalogueKey[];
  const all = items.filter((item) => !isCounterKey(item)) as unknown as Row[];
  for (const row of all.filter((one) => !isReadable(one))) {
    context.tally.find('orphaned_row', `no version's (${keyText(row)})`);
    if (context.repair && (await deleteUnreadable(row, context))) context.tally.repair(1);
  }
  const rows = all.filter(isReadable);
  const owners = await readOwners(rows);
  for (const row of rows.filter(createOrphanTest(owners, context))) {
    const owner = owners.get(itemKeyText(idOf(row)));
    context.tally.find('orphaned_row', `${row.n} ${row.v} (${keyText(row)})`);
    if (context.repair && (await deleteRow(row, owner, context))) context.tally.repair(1);
  }
  context.tally.check('rows', all.length);
  return page.LastEvaluatedKey as Record<string, string> | undefined;
};
