import type { PackageId } from '../../domain/packages/package-id.ts';
import type { CatalogueKey } from '../catalogue/catalogue-keys.ts';
import { allFacets, describeFacet } from '../catalogue/facets.ts';
import type { CatalogueLayout } from '../catalogue/layout.ts';
import { type CatalogueRow, makeRows, rowsTable } from '../catalogue/rows.ts';
import { batchGet } from '../dynamodb/read.ts';
import { ifUnchanged } from '../dynamodb/write.ts';
import type { PackageItem } from '../packages/package-item.ts';
import { isSequenceNumber, parseSequenceNumber } from '../packages/version-keys.ts';

/** Rows of lists and searches that a version must have, and stored rows. */

/** The attributes that distinguish a row from another row at the same key. */
const rowFields = ['p', 'n', 'v', 'c'];

/** Returns the key of a row as text. */
export const formatRowKey = ({ p, o }: CatalogueKey): string => `${p} ${o}`;

/** Returns the condition that a stored row is unchanged; without one, that there is still none. */
export const isRowUnchanged = (row: object | undefined) => ifUnchanged(row, rowFields);

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

/** Stored rows by their keys as text. */
export type StoredRows = ReadonlyMap<string, CatalogueRow>;

/** Returns the stored rows at the keys of these rows, by key. */
export const readStoredRows = async (rows: readonly CatalogueKey[]): Promise<StoredRows> => {
  const stored = await batchGet(
    rowsTable,
    rows.map(({ p, o }) => ({ p, o })),
  );
  return new Map(stored.map((row) => [formatRowKey(row), row]));
};

/** Returns the version that a row names; undefined if the row can belong to no version. */
export const readRowOwner = (row: CatalogueRow): PackageId | undefined => {
  if (typeof row.n !== 'string' || typeof row.v !== 'string') return undefined;
  if (!allFacets.includes(row.c)) return undefined;
  return { ecosystem: describeFacet(row.c).ecosystem, name: row.n, version: row.v };
};
