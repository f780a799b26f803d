import { isDeepStrictEqual } from 'node:util';
import type { PackageId } from '../../domain/packages/package-id.ts';
import type { CatalogueKey } from '../catalogue/catalogue-keys.ts';
import type { CatalogueLayout } from '../catalogue/layout.ts';
import { type CatalogueRow, makeRows, rowsTable } from '../catalogue/rows.ts';
import { batchGet } from '../dynamodb/read.ts';
import { checkItem, ifUnchanged, putItem } from '../dynamodb/write.ts';
import { type PackageItem, packagesTable } from '../packages/package-item.ts';
import { parseSequenceNumber } from '../packages/version-keys.ts';
import { findVersion, isAsRead } from '../packages/write-version.ts';
import { mendVersion, pickVersionKey } from './repair-version.ts';
import { readOwner } from './row-owner.ts';
import type { CheckContext } from './tally.ts';
import { transactUnlessChanged } from './transact-unless-changed.ts';

const tries = 3;

/** What tells one row from another that stands in its place. */
const rowFields = ['p', 'n', 'v', 'b', 'c'];

/** A row's key as text, to look it up and to name it. */
export const formatKey = ({ p, o }: CatalogueKey): string => `${p} ${o}`;

/** Holds while a row is the one that was seen; where none was seen, while there is none. */
export const isRowUnchanged = (row: object | undefined) => ifUnchanged(row, rowFields);

/** Every row that a package version must have, the browse row first. */
export const expectRows = (item: PackageItem, layout: CatalogueLayout) =>
  makeRows({ ...item, ordinal: parseSequenceNumber(item.ordinal) }, layout);

/** A row that is not as it must be. */
interface Difference {
  readonly expected: CatalogueRow;
  readonly stored: CatalogueRow | undefined;
}

type StoredRows = ReadonlyMap<string, CatalogueRow>;

const findDifferences = (expected: readonly CatalogueRow[], found: StoredRows): Difference[] =>
  expected.flatMap((row) => {
    const stored = found.get(formatKey(row));
    return isDeepStrictEqual(stored, row) ? [] : [{ expected: row, stored }];
  });

/** Reads what stands at the keys of these rows. */
export const readStoredRows = async (rows: readonly CatalogueRow[]): Promise<StoredRows> => {
  const stored = await batchGet(
    rowsTable,
    rows.map(({ p, o }) => ({ p, o })),
  );
  return new Map(stored.map((row) => [formatKey(row), row]));
};

/** Whether all rows of a version are among what was read. */
export const hasItsRows = (
  item: PackageItem,
  found: StoredRows,
  { layout }: CheckContext,
): boolean => findDifferences(expectRows(item, layout), found).length === 0;

const isSameVersion = (one: PackageId, other: PackageId): boolean =>
  one.ecosystem === other.ecosystem && one.name === other.name && one.version === other.version;

/** The other version that has this one's ordinal by right, since the browse row there is its own; undefined if there is none. */
const findRival = async (
  item: PackageItem,
  wrong: readonly Difference[],
): Promise<PackageItem | undefined> => {
  const browseRow = wrong.find(({ expected }) => 'b' in expected)?.stored;
  const owner = browseRow && readOwner(browseRow);
  if (!owner || isSameVersion(owner, item)) return undefined;
  const rival = await findVersion(owner);
  return rival?.ordinal === item.ordinal ? rival : undefined;
};

/** Puts rows in the place of what was seen there, unless the version was decided meanwhile: then its own writes were right. */
const putRows = (item: PackageItem, wrong: readonly Difference[], { deadline }: CheckContext) =>
  transactUnlessChanged(
    [
      checkItem(packagesTable, pickVersionKey(item), isAsRead(item)),
      ...wrong.map(({ expected, stored }) => putItem(rowsTable, expected, isRowUnchanged(stored))),
    ],
    deadline,
  );

/** Judges one version whose rows differed, and mends them: was it only decided between two reads? */
export const checkVersionRows = async (
  doubtful: PackageItem,
  context: CheckContext,
): Promise<void> => {
  for (let attempt = 0; attempt < tries; attempt += 1) {
    const before = await findVersion(doubtful);
    if (!before) return;
    const expected = expectRows(before, context.layout);
    const wrong = findDifferences(expected, await readStoredRows(expected));
    if (wrong.length === 0) return;
    const rival = await findRival(before, wrong);
    const after = await findVersion(doubtful);
    if (after?.revision !== before.revision || after.ordinal !== before.ordinal) continue;
    if (rival) {
      await mendVersion('duplicate_sequence_number', before, context);
      // Where both had the same text, the row is there once, and may be the one that moves away.
      if (context.repair) await checkVersionRows(rival, context);
      return;
    }
    const name = `${before.ecosystem} ${before.name} ${before.version}`;
    for (const { expected: row, stored } of wrong) {
      context.tally.find(stored ? 'wrong_row' : 'missing_row', `${name} (${formatKey(row)})`);
    }
    if (context.repair && (await putRows(before, wrong, context))) {
      context.tally.repair(wrong.length);
    }
    return;
  }
  context.tally.leaveUnjudged();
};
