import { type CatalogueKey, isCounterKey } from '../catalogue/catalogue-keys.ts';
import { type CatalogueRow, rowsTable } from '../catalogue/rows.ts';
import { batchGet, scanPage } from '../dynamodb/read.ts';
import type { ItemKey } from '../dynamodb/table.ts';
import { checkItem, deleteItem, ifUnchanged } from '../dynamodb/write.ts';
import { type PackageItem, packagesTable } from '../packages/package-item.ts';
import { isSequenceNumber, toItemKey } from '../packages/version-keys.ts';
import { isAsRead } from '../packages/write-version.ts';
import { checkCoarseBlocks } from './coarse-blocks.ts';
import { readOwner } from './row-owner.ts';
import type { CheckContext } from './tally.ts';
import { transactUnlessChanged } from './transact-unless-changed.ts';
import { expectRows, formatKey, isRowUnchanged } from './version-rows.ts';

const rowsAtATime = 500;

/** A row, the key of the version that it says it belongs to, and that version, if it is there. */
interface OwnedRow {
  readonly row: CatalogueRow;
  readonly ownerKey: ReturnType<typeof toItemKey> | undefined;
  readonly owner: PackageItem | undefined;
}

const findOwners = async (rows: readonly CatalogueRow[]): Promise<OwnedRow[]> => {
  const keyed = rows.map((row) => {
    const id = readOwner(row);
    return { row, ownerKey: id && toItemKey(id) };
  });
  const items = await batchGet(
    packagesTable,
    keyed.flatMap(({ ownerKey }) => ownerKey ?? []),
  );
  const owners = new Map(items.map((item) => [item.version_key, item]));
  return keyed.map(({ row, ownerKey }) => ({
    row,
    ownerKey,
    owner: ownerKey && owners.get(ownerKey.version_key),
  }));
};

/** Tells orphans: rows whose version is not there, or would have no row with their key. */
const createOrphanTest = ({ layout }: CheckContext) => {
  const keysByOwner = new Map<PackageItem, ReadonlySet<string>>();
  const findKeys = (owner: PackageItem): ReadonlySet<string> => {
    const keys = keysByOwner.get(owner) ?? new Set(expectRows(owner, layout).map(formatKey));
    keysByOwner.set(owner, keys);
    return keys;
  };
  return ({ row, owner }: OwnedRow): boolean =>
    // Of a version that was left at a place which is none, nothing is known.
    owner === undefined ||
    (isSequenceNumber(owner.ordinal) && !findKeys(owner).has(formatKey(row)));
};

/** Deletes a row as it was seen, unless its version came or went elsewhere meanwhile. */
const deleteOrphan = (
  { row, ownerKey, owner }: OwnedRow,
  { deadline }: CheckContext,
): Promise<boolean> => {
  const check = owner ? isAsRead(owner) : ifUnchanged(undefined, ['name_key']);
  const key: CatalogueKey = { p: row.p, o: row.o };
  return transactUnlessChanged(
    [
      ...(ownerKey ? [checkItem(packagesTable, ownerKey, check)] : []),
      deleteItem(rowsTable, key, isRowUnchanged(row)),
    ],
    deadline,
  );
};

const describeOwner = ({ row, ownerKey }: OwnedRow): string =>
  ownerKey ? `${row.n} ${row.v}` : "no version's";

/**
 * Looks at some rows for those that no package version has.
 * @returns where to go on; undefined after the last row
 */
export const checkRows = async (
  after: ItemKey | undefined,
  context: CheckContext,
): Promise<ItemKey | undefined> => {
  const page = await scanPage(rowsTable, after, rowsAtATime);
  const rows = page.items.filter((item) => !isCounterKey(item));
  const orphans = (await findOwners(rows)).filter(createOrphanTest(context));
  for (const orphan of orphans) {
    context.tally.find('orphaned_row', `${describeOwner(orphan)} (${formatKey(orphan.row)})`);
    if (context.repair && (await deleteOrphan(orphan, context))) context.tally.repair(1);
  }
  const sound = rows.filter((row) => !orphans.some((orphan) => orphan.row === row));
  await checkCoarseBlocks(sound, context);
  context.tally.check('rows', rows.length);
  return page.next;
};
