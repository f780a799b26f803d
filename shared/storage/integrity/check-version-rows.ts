import { isDeepStrictEqual } from 'node:util';
import { type PackageId, toVersionKey } from '../../domain/packages/package-id.ts';
import { isBrowseKey } from '../catalogue/catalogue-keys.ts';
import { type CatalogueRow, rowsTable } from '../catalogue/rows.ts';
import { renumberVersion } from '../catalogue/sequence-numbers.ts';
import { readEventually } from '../dynamodb/eventual-reads.ts';
import { checkItem, putItem } from '../dynamodb/write.ts';
import { type PackageItem, packagesTable } from '../packages/package-item.ts';
import { parseSequenceNumber } from '../packages/version-keys.ts';
import { findVersion, isAsRead } from '../packages/write-version.ts';
import {
  type CheckContext,
  type Checks,
  ConflictError,
  describeVersion,
  type Problem,
  pickVersionKey,
  readWithVersion,
  transactIfUnchanged,
} from './check.ts';
import {
  expectRows,
  findExpectedRows,
  formatRowKey,
  isRowUnchanged,
  readRowOwner,
  readStoredRows,
  type StoredRows,
} from './expected-rows.ts';

/** Check that each version has exactly its rows of lists and searches. */

/** Expected row, and the different row that is stored at the same key; undefined if none is stored. */
interface Difference {
  readonly expected: CatalogueRow;
  readonly stored: CatalogueRow | undefined;
}

const findDifferences = (expected: readonly CatalogueRow[], found: StoredRows): Difference[] =>
  expected.flatMap((row) => {
    const stored = found.get(formatRowKey(row));
    return isDeepStrictEqual(stored, row) ? [] : [{ expected: row, stored }];
  });

/** Returns the other version that owns the same sequence number, according to the stored browse row. */
const findRival = async (
  version: PackageItem,
  differences: readonly Difference[],
): Promise<PackageItem | undefined> => {
  const browseRow = differences.find(({ expected }) => isBrowseKey(expected))?.stored;
  const owner = browseRow && readRowOwner(browseRow);
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
    example: `${name} (${formatRowKey(expected)})`,
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
