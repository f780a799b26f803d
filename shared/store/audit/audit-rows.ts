import type { PackageId } from '../../domain/package-id.ts';
import { allCells, describeCell } from '../catalogue/cells.ts';
import { type CatalogueKey, isCounterKey } from '../catalogue/keys.ts';
import {
  type BrowseRow,
  type CatalogueRow,
  readCell,
  rowsTable,
  type SearchRow,
} from '../catalogue/rows.ts';
import { toItemKey } from '../packages/keys.ts';
import { type PackageItem, packagesTable } from '../packages/package-item.ts';
import { batchGet, scanPage } from '../read.ts';
import type { ItemKey } from '../table.ts';
import { checkItem, deleteItem } from '../write.ts';
import { expectRows, formatKey } from './audit-versions.ts';
import type { AuditContext } from './findings.ts';
import { transactUnlessChanged } from './transact-unless-changed.ts';

const rowsAtATime = 500;

const readId = (row: CatalogueRow): PackageId => ({
  ecosystem: describeCell(readCell(row)).ecosystem,
  name: row.n,
  version: row.v,
});

const formatItemKey = (id: PackageId): string => toItemKey(id).version_key;

/** The package versions that the rows say they belong to, those that there are. */
const readOwners = async (rows: readonly CatalogueRow[]): Promise<Map<string, PackageItem>> => {
  const ids = new Map(rows.map((row) => [formatItemKey(readId(row)), readId(row)]));
  const items = await batchGet(packagesTable, [...ids.values()].map(toItemKey));
  return new Map(items.map((item) => [item.version_key, item]));
};

/** Whether the row can belong to a version at all. */
const isReadable = (row: CatalogueRow): boolean =>
  typeof row.n === 'string' && typeof row.v === 'string' && allCells.includes(readFlag(row) ?? '');

const readFlag = ({ b, c }: Partial<BrowseRow & SearchRow>): string | undefined =>
  b?.slice(0, 1) ?? c;

/** Deletes what is no row, unless a writer has put one in its place: that one has another flag. */
const deleteUnreadable = (row: CatalogueRow, { deadline }: AuditContext) => {
  const { p, o, b, c } = row as CatalogueKey & Partial<BrowseRow & SearchRow>;
  const [name, flag] = b === undefined ? ['c', c] : ['b', b];
  const condition =
    flag === undefined
      ? { ConditionExpression: 'attribute_not_exists(b) AND attribute_not_exists(c)' }
      : {
          ConditionExpression: '#flag = :flag',
          ExpressionAttributeNames: { '#flag': name },
          ExpressionAttributeValues: { ':flag': flag },
        };
  return transactUnlessChanged([deleteItem(rowsTable, { p, o }, condition)], deadline);
};

/** Deletes a row, unless its version came meanwhile. */
const deleteRow = (row: CatalogueRow, owner: PackageItem | undefined, { deadline }: AuditContext) =>
  transactUnlessChanged(
    [
      checkItem(packagesTable, toItemKey(readId(row)), {
        ConditionExpression: owner ? 'ordinal = :ordinal' : 'attribute_not_exists(name_key)',
        ...(owner && { ExpressionAttributeValues: { ':ordinal': owner.ordinal } }),
      }),
      // After a restore, ordinals are drawn again: the key may have gone to another version by now.
      deleteItem(
        rowsTable,
        { p: row.p, o: row.o },
        {
          ConditionExpression: 'n = :name AND v = :version',
          ExpressionAttributeValues: { ':name': row.n, ':version': row.v },
        },
      ),
    ],
    deadline,
  );

/** Tells orphans: rows whose version is not there, or would have no row with their key. */
const createOrphanTest = (owners: ReadonlyMap<string, PackageItem>, { layout }: AuditContext) => {
  const keysByOwner = new Map<PackageItem, ReadonlySet<string>>();
  const findKeys = (owner: PackageItem): ReadonlySet<string> => {
    const keys = keysByOwner.get(owner) ?? new Set(expectRows(owner, layout).map(formatKey));
    keysByOwner.set(owner, keys);
    return keys;
  };
  return (row: CatalogueRow): boolean => {
    const owner = owners.get(formatItemKey(readId(row)));
    return owner === undefined || !findKeys(owner).has(formatKey(row));
  };
};

/**
 * Looks at some rows for those that no package version has.
 * @returns where to go on; undefined after the last row
 */
export const auditRows = async (
  after: ItemKey | undefined,
  context: AuditContext,
): Promise<ItemKey | undefined> => {
  const page = await scanPage(rowsTable, after, rowsAtATime);
  const all = page.items.filter((item) => !isCounterKey(item));
  for (const row of all.filter((one) => !isReadable(one))) {
    context.tally.find('orphaned_row', `no version's (${formatKey(row)})`);
    if (context.repair && (await deleteUnreadable(row, context))) context.tally.repair(1);
  }
  const rows = all.filter(isReadable);
  const owners = await readOwners(rows);
  for (const row of rows.filter(createOrphanTest(owners, context))) {
    const owner = owners.get(formatItemKey(readId(row)));
    context.tally.find('orphaned_row', `${row.n} ${row.v} (${formatKey(row)})`);
    if (context.repair && (await deleteRow(row, owner, context))) context.tally.repair(1);
  }
  context.tally.check('rows', all.length);
  return page.next;
};
