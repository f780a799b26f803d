import type { PackageId } from '../../domain/packages/package-id.ts';
import { allFacets, describeFacet } from '../catalogue/facets.ts';
import type { BrowseRow, CatalogueRow, SearchRow } from '../catalogue/rows.ts';

/** The cell that a row says its version is in; whatever stands there. */
const readFlag = ({ b, c }: Partial<BrowseRow & SearchRow>): string | undefined =>
  typeof b === 'string' ? b.slice(0, 1) : c;

/** The version that a row says it belongs to; undefined where it can belong to none. */
export const readOwner = (row: CatalogueRow): PackageId | undefined => {
  const flag = readFlag(row);
  if (typeof row.n !== 'string' || typeof row.v !== 'string') return undefined;
  if (flag === undefined || !allFacets.includes(flag)) return undefined;
  return { ecosystem: describeFacet(flag).ecosystem, name: row.n, version: row.v };
};
