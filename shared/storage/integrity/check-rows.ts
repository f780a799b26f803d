import type { PackageId } from '../../domain/packages/package-id.ts';
import { groupBy } from '../../util/group-by.ts';
import { isBrowseKey, isCounterKey, toLargeBucketKey } from '../catalogue/catalogue-keys.ts';
import { countersTable, makeShardId, readSeconds } from '../catalogue/counters.ts';
import { findPiece } from '../catalogue/layout.ts';
import { type CatalogueRow, readSequenceNumber, rowsTable } from '../catalogue/rows.ts';
import { readEventually } from '../dynamodb/eventual-reads.ts';
import { batchGet } from '../dynamodb/read.ts';
import { checkItem, deleteItem, ifUnchanged, putItem } from '../dynamodb/write.ts';
import { type PackageItem, packagesTable } from '../packages/package-item.ts';
import { toItemKey } from '../packages/version-keys.ts';
import { isAsRead } from '../packages/write-version.ts';
import {
  type Check,
  type CheckContext,
  type Checks,
  definePhase,
  makeProblem,
  scanInPages,
  scanSegments,
  transactIfUnchanged,
} from './check.ts';
import { listLargeBuckets } from './check-summaries.ts';
import {
  findExpectedRows,
  formatRowKey,
  isRowUnchanged,
  readRowOwner,
  readStoredRows,
} from './expected-rows.ts';

/** Check that each row of lists and searches belongs to a version. */

const rowsAPage = 500;

/** A row, the id of the version that it names, and that version, if it exists. */
interface OwnedRow {
  readonly row: CatalogueRow;
  readonly ownerId: PackageId | undefined;
  readonly owner: PackageItem | undefined;
}

const findOwners = async (rows: readonly CatalogueRow[]): Promise<OwnedRow[]> => {
  const named = rows.map((row) => ({ row, ownerId: readRowOwner(row) }));
  const owners = await batchGet(
    packagesTable,
    named.flatMap(({ ownerId }) => (ownerId ? [toItemKey(ownerId)] : [])),
  );
  const byKey = new Map(owners.map((owner) => [owner.version_key, owner]));
  return named.map(({ row, ownerId }) => ({
    row,
    ownerId,
    owner: ownerId && byKey.get(toItemKey(ownerId).version_key),
  }));
};

/** Returns a test for orphans: rows of no version, or at a key where their version has no row. */
const createOrphanTest = ({ layout }: CheckContext) => {
  const keysByOwner = new Map<PackageItem, ReadonlySet<string> | undefined>();
  const findKeys = (owner: PackageItem): ReadonlySet<string> | undefined => {
    if (keysByOwner.has(owner)) return keysByOwner.get(owner);
    const rows = findExpectedRows(owner, layout);
    const keys = rows && new Set(rows.map(formatRowKey));
    keysByOwner.set(owner, keys);
    return keys;
  };
  return ({ row, owner }: OwnedRow): boolean =>
    owner === undefined || findKeys(owner)?.has(formatRowKey(row)) === false;
};

/** Deletes an orphan, unless its version appeared or changed. */
const deleteOrphan = (
  { row, ownerId, owner }: OwnedRow,
  { deadline }: CheckContext,
): Promise<void> => {
  const isOwnerAsRead = owner ? isAsRead(owner) : ifUnchanged(undefined, ['name_key']);
  return transactIfUnchanged(
    [
      ...(ownerId ? [checkItem(packagesTable, toItemKey(ownerId), isOwnerAsRead)] : []),
      deleteItem(rowsTable, { p: row.p, o: row.o }, isRowUnchanged(row)),
    ],
    deadline,
  );
};

const checkOrphan = ({ row }: OwnedRow, context: CheckContext): Check => ({
  subject: `row ${formatRowKey(row)}`,
  examine: async () => {
    const stored = await readStoredRows([row]);
    const [owned] = await findOwners([...stored.values()]);
    if (!owned || !createOrphanTest(context)(owned)) return [];
    const { n, v } = owned.row;
    const owner = owned.ownerId ? `${n} ${v}` : 'of no version';
    return [
      makeProblem({ kind: 'orphaned_row', example: `${owner} (${formatRowKey(row)})` }, () =>
        deleteOrphan(owned, context),
      ),
    ];
  },
});

/**
 * Checks that each large bucket with browse rows has a counter. A repair puts an empty counter without a report: the
 * phase `counters` reports and repairs the counts.
 */
async function* checkLargeBuckets(
  rows: readonly CatalogueRow[],
  { layout, repair, deadline }: CheckContext,
): Checks {
  const used = groupBy(rows.filter(isBrowseKey), (row) =>
    findPiece(readSequenceNumber(row), layout.largeBucketBits),
  );
  if (used.size === 0) return;
  const counted = new Set(await listLargeBuckets(layout));
  for (const [bucket, bucketRows] of used) {
    if (counted.has(bucket)) continue;
    const example = `large bucket ${bucket}`;
    const put = putItem(
      countersTable,
      { ...toLargeBucketKey(bucket, 0), u: 1, i: makeShardId(), d: readSeconds() },
      ifUnchanged(undefined, ['p']),
    );
    yield {
      subject: example,
      examine: async () => {
        if ((await listLargeBuckets(layout)).includes(bucket)) return [];
        if ((await readStoredRows(bucketRows)).size === 0) return [];
        const findings = repair ? [] : [{ kind: 'wrong_counter', example } as const];
        return [{ findings, repair: () => transactIfUnchanged([put], deadline) }];
      },
    };
  }
}

/** Checks that each row belongs to a version, and that a counter counts it. Looks up only the rows that may be wrong. */
export const rowsPhase = definePhase<CatalogueRow>({
  segments: scanSegments,
  readPage: scanInPages(rowsTable, rowsAPage),
  isNeeded: ({ rowSums }) => rowSums.hasSuspects(),
  async *checkPage({ items }, context): Checks<number> {
    const { rowSums } = context;
    const rows = items.filter(
      (item) => !isCounterKey(item) && rowSums.isSuspect(readSequenceNumber(item)),
    );
    const owned = await readEventually(() => findOwners(rows));
    const orphans = owned.filter(createOrphanTest(context));
    for (const orphan of orphans) yield checkOrphan(orphan, context);
    const orphanedRows = new Set(orphans.map(({ row }) => row));
    yield* checkLargeBuckets(
      rows.filter((row) => !orphanedRows.has(row)),
      context,
    );
    return rows.length;
  },
});
