import { tableName } from '../../config/env.ts';
import type { PackageDetail } from '../../schemas/package.ts';
import type { Write } from '../transact.ts';
import { cellOf } from './cells.ts';
import { countWrites } from './counters.ts';
import type { CatalogueLayout } from './layout.ts';
import { browseRow, type CatalogueVersion, searchRows } from './rows.ts';

/** Where a write goes in the catalogue: how ordinals are cut, and which shard of each counter counts it. */
export interface CatalogueTarget {
  readonly layout: CatalogueLayout;
  readonly shard: number;
}

/** Rows are always put whole and never conditionally: the package's own condition guards them all, and a lost row heals. */
const putRows = (version: CatalogueVersion, { layout }: CatalogueTarget): Write[] =>
  [browseRow(version, layout), ...searchRows(version, layout)].map((row) => ({
    operation: { Put: { TableName: tableName('catalogue'), Item: row } },
  }));

/** What a new version adds to the catalogue, in the transaction that submits it. */
export const addToCatalogue = (
  detail: PackageDetail,
  ordinal: number,
  target: CatalogueTarget,
): Write[] => [
  ...putRows({ ...detail, ordinal }, target),
  ...countWrites(ordinal, { [cellOf(detail)]: 1 }, target),
];

/** What a decision changes in the catalogue, in the transaction that makes it. */
export const moveInCatalogue = (
  change: { readonly before: PackageDetail; readonly after: PackageDetail },
  ordinal: number,
  target: CatalogueTarget,
): Write[] => [
  ...putRows({ ...change.after, ordinal }, target),
  ...countWrites(ordinal, { [cellOf(change.before)]: -1, [cellOf(change.after)]: 1 }, target),
];
