import { isDeepStrictEqual } from 'node:util';
import { type PackageId, toVersionKey } from '../../domain/packages/package-id.ts';
import { groupBy } from '../../util/group-by.ts';
import {
  type CatalogueKey,
  isBrowseKey,
  isCounterKey,
  toLargeBucketKey,
} from '../catalogue/catalogue-keys.ts';
import { countersTable, makeShardId, readSeconds } from '../catalogue/counters.ts';
import { allFacets, describeFacet } from '../catalogue/facets.ts';
import { type CatalogueLayout, findPiece } from '../catalogue/layout.ts';
import { type CatalogueRow, makeRows, readSequenceNumber, rowsTable } from '../catalogue/rows.ts';
import { renumberVersion } from '../catalogue/sequence-numbers.ts';
import { readEventually } from '../dynamodb/eventual-reads.ts';
import { batchGet } from '../dynamodb/read.ts';
import { checkItem, deleteItem, ifUnchanged, putItem } from '../dynamodb/write.ts';
import { type PackageItem, packagesTable } from '../packages/package-item.ts';
import { isSequenceNumber, parseSequenceNumber, toItemKey } from '../packages/version-keys.ts';
import { findVersion, isAsRead } from '../packages/write-version.ts';
import {
  type Check,
  type CheckContext,
  type Checks,
  ConflictError,
  definePhase,
  describeVersion,
  makeProblem,
  type Problem,
  pickVersionKey,
  readWithVersion,
  scanInPages,
  scanSegments,
  transactIfUnchanged,
} from './check.ts';
import { listLargeBuckets } from './check-summaries.ts';

/** Check of the rows of lists and searches against their versions, in both directions. */

const rowsAPage = 500;

/** The attributes that distinguish a row from another row at the same key. */
const rowFields = ['p', 'n', 'v', 'c'];

const formatKey = ({ p, o }: CatalogueKey): string => `${p} ${o}`;

const isRowUnchanged = (row: object | undefined) => ifUnchanged(row, rowFields);

/** Returns every row that a version must have, the browse row without a filter first. */
export const expectRows = (version: PackageItem, layout: CatalogueLayout) =>
  makeRows({ ...version, sequence: parseSequenceNumber(version.sequence) }, layout);

/** Returns every row that a version must have; undefined if they are unknown: the version is damaged. */
export const findExpectedRows = (
  version: PackageItem,
  layout: CatalogueLayout,
): readonly CatalogueRow[] | undefined => {
  if (!isSequenceNumber(version.sequence)) return undefined;
  try {
    return expectRows(version, layout);
  } catch {
    return undefined;
  }
};

type StoredRows = ReadonlyMap<string, CatalogueRow>;

/** Returns the stored rows at the keys of these rows, by key. */
export const readStoredRows = async (rows: readonly CatalogueKey[]): Promise<StoredRows> => {
  const stored = await batchGet(
    rowsTable,
    rows.map(({ p, o }) => ({ p, o })),
  );
  return new Map(stored.map((row) => [formatKey(row), row]));
};

/** Expected row, and the different row that is stored at the same key; undefined if none is stored. */
interface Difference {
  readonly expected: CatalogueRow;
  readonly stored: CatalogueRow | undefined;
}

const findDifferences = (expected: readonly CatalogueRow[], found: StoredRows): Difference[] =>
  expected.flatMap((row) => {
    const stored = found.get(formatKey(row));
    return isDeepStrictEqual(stored, row) ? [] : [{ expected: row, stored }];
  });

/** Returns the version that a row names; undefined if the row can belong to no version. */
const readOwner = (row: CatalogueRow): PackageId | undefined => {
  if (typeof row.n !== 'string' || typeof row.v !== 'string') return undefined;
  if (!allFacets.includes(row.c)) return undefined;
  return { ecosystem: describeFacet(row.c).ecosystem, name: row.n, version: row.v };
};

/** Returns the other version that owns the same sequence number, according to the stored browse row. */
const findRival = async (
  version: PackageItem,
  differences: readonly Difference[],
): Promise<PackageItem | undefined> => {
  const browseRow = differences.find(({ expected }) => isBrowseKey(expected))?.stored;
  const owner = browseRow && readOwner(browseRow);
  if (!owner || toVersionKey(owner) === toVersionKey(version)) return undefined;
  const rival = await findVersion(owner);
  return rival?.sequence === version.sequence ? rival : undefined;
};

/** Puts the expected rows. Fails if a decision changed the version: its own transaction wrote the rows then. */
const putRows = (
  version: PackageItem,
  differences: readonly Difference[],
  { deadline }: CheckContext,
): Promise<void> =>
  transactIfUnchanged(
    [
      checkItem(packagesTable, pickVersionKey(version), isAsRead(version)),
      ...differences.map(({ expected, stored }) =>
        putItem(rowsTable, expected, isRowUnchanged(stored)),
      ),
    ],
    deadline,
  );

/**
 * Gives a version the next free sequence number.
 * @throws {ConflictError} if the version changed
 */
export const renumber = async (
  version: PackageItem,
  { layout, deadline }: CheckContext,
): Promise<void> => {
  const isDone = await renumberVersion(version, { catalogue: { layout, shard: 0 }, deadline });
  if (!isDone) throw new ConflictError();
};

/** Differences of the rows of one version, and the other version that owns its sequence number, if any. */
interface RowsState {
  readonly version: PackageItem;
  readonly differences: readonly Difference[];
  readonly rival: PackageItem | undefined;
}

const readRowsState = async (
  id: PackageId,
  { layout }: CheckContext,
): Promise<RowsState | undefined> => {
  const read = await readWithVersion(id, async (version) => {
    const expected = version ? expectRows(version, layout) : [];
    const differences = findDifferences(expected, await readStoredRows(expected));
    return { differences, rival: version && (await findRival(version, differences)) };
  });
  return read.version && { version: read.version, ...read.stored };
};

const listRowProblems = (state: RowsState, context: CheckContext): Problem[] => {
  const { version, differences, rival } = state;
  const name = describeVersion(version);
  if (differences.length === 0) return [];
  if (rival) {
    const findings = [{ kind: 'duplicate_sequence_number', example: name } as const];
    return [{ findings, repair: () => renumber(version, context) }];
  }
  const findings = differences.map(({ expected, stored }) => ({
    kind: stored ? ('wrong_row' as const) : ('missing_row' as const),
    example: `${name} (${formatKey(expected)})`,
  }));
  return [{ findings, repair: () => putRows(version, differences, context) }];
};

/** Checks the rows of one version, and then those of a version with the same sequence number. */
async function* checkRowsOf(id: PackageId, context: CheckContext): Checks {
  let rival: PackageItem | undefined;
  yield {
    subject: `rows of ${describeVersion(id)}`,
    examine: async () => {
      const state = await readRowsState(id, context);
      rival = state?.rival;
      return state ? listRowProblems(state, context) : [];
    },
  };
  // A search row that both versions share is stored once. The renumbering may have deleted it.
  if (rival && context.repair) yield* checkRowsOf(rival, context);
}

/** Checks that each version has exactly its rows. Looks up only the versions whose rows may be wrong. */
export async function* checkVersionRows(
  versions: readonly PackageItem[],
  context: CheckContext,
): Checks {
  const suspects = versions.filter(({ sequence }) =>
    context.rowSums.isSuspect(parseSequenceNumber(sequence)),
  );
  const expected = suspects.map((version) => ({
    version,
    rows: findExpectedRows(version, context.layout),
  }));
  const keys = expected.flatMap(({ rows = [] }) => rows);
  const stored = await readEventually(() => readStoredRows(keys));
  for (const { version, rows } of expected) {
    if (!rows || findDifferences(rows, stored).length > 0) yield* checkRowsOf(version, context);
  }
}

/** A row, the id of the version that it names, and that version, if it exists. */
interface OwnedRow {
  readonly row: CatalogueRow;
  readonly ownerId: PackageId | undefined;
  readonly owner: PackageItem | undefined;
}

const findOwners = async (rows: readonly CatalogueRow[]): Promise<OwnedRow[]> => {
  const named = rows.map((row) => ({ row, ownerId: readOwner(row) }));
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
    const keys = rows && new Set(rows.map(formatKey));
    keysByOwner.set(owner, keys);
    return keys;
  };
  return ({ row, owner }: OwnedRow): boolean =>
    owner === undefined || findKeys(owner)?.has(formatKey(row)) === false;
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
  subject: `row ${formatKey(row)}`,
  examine: async () => {
    const stored = await readStoredRows([row]);
    const [owned] = await findOwners([...stored.values()]);
    if (!owned || !createOrphanTest(context)(owned)) return [];
    const { n, v } = owned.row;
    const owner = owned.ownerId ? `${n} ${v}` : 'of no version';
    return [
      makeProblem({ kind: 'orphaned_row', example: `${owner} (${formatKey(row)})` }, () =>
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
