import type { PackageListItem } from '../../api/schemas/package.ts';
import type { Status } from '../../domain/review/status.ts';
import { readCoarseCounts } from './counters.ts';
import { toFacets } from './facets.ts';
import { type CatalogueLayout, defaultLayout, findPiece } from './layout.ts';
import { oldestFirst } from './order.ts';
import { findPartitions } from './positions.ts';
import { readRows } from './read-rows.ts';
import { readBrowseRow, readSequenceNumber } from './rows.ts';

/** A version and its place in the order of submissions. */
export interface NumberedVersion extends PackageListItem {
  readonly ordinal: number;
}

/**
 * Up to `count` versions of a status, those after an ordinal, in the order of submissions; none where there are no more.
 * Unlike an offset, an ordinal means the same place however many versions change their status meanwhile.
 */
export const listVersionsAfter = async (
  { status, ordinal }: { readonly status: Status; readonly ordinal: number },
  count: number,
  layout: CatalogueLayout = defaultLayout,
): Promise<NumberedVersion[]> => {
  const { partitionBits } = layout;
  const start = ordinal + 1;
  const counts = await readCoarseCounts(toFacets({ status }));
  for (const partition of findPartitions(counts, oldestFirst, layout)) {
    if (partition < findPiece(start, partitionBits)) continue;
    const from = Math.max(start, oldestFirst.enter(partition, partitionBits));
    const rows = await readRows({ status, order: oldestFirst }, { partition, from, count });
    if (rows.length > 0) {
      return rows.map((row) => ({ ...readBrowseRow(row), ordinal: readSequenceNumber(row) }));
    }
  }
  return [];
};
