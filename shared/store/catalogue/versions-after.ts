import type { Status } from '../../domain/status.ts';
import type { PackageListItem } from '../../schemas/package.ts';
import { readNewestOrdinal } from './audit/newest-ordinal.ts';
import { readRows } from './browse.ts';
import { type CatalogueLayout, defaultLayout, pieceOf } from './layout.ts';
import { itemOfBrowseRow, ordinalOf } from './rows.ts';

/** A version and its place in the order of submissions. */
export interface PlacedVersion extends PackageListItem {
  readonly ordinal: number;
}

/**
 * Up to `count` versions of a status, those after an ordinal, in the order of submissions; none where there are no more.
 * Unlike an offset, an ordinal means the same place however many versions change their status meanwhile.
 */
export const versionsAfter = async (
  { status, ordinal }: { readonly status: Status; readonly ordinal: number },
  count: number,
  { partitionBits }: CatalogueLayout = defaultLayout,
): Promise<PlacedVersion[]> => {
  const newest = await readNewestOrdinal();
  let from = ordinal + 1;
  while (from <= newest) {
    const partition = pieceOf(from, partitionBits);
    const rows = await readRows({ status, newestFirst: false }, { partition, from, count });
    if (rows.length > 0) {
      return rows.map((row) => ({ ...itemOfBrowseRow(row), ordinal: ordinalOf(row) }));
    }
    from = (partition + 1) * 2 ** partitionBits;
  }
  return [];
};
