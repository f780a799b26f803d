import type { PackageListItem } from '../../api/schemas/package.ts';
import type { Status } from '../../domain/review/status.ts';
import { toFacets } from './facets.ts';
import { countByPartition, readLargeCounters } from './large-counters.ts';
import { type CatalogueLayout, defaultLayout, findPiece } from './layout.ts';
import { oldestFirst } from './order.ts';
import { findPartitions } from './positions.ts';
import { readRows } from './read-rows.ts';
import { readRow, readSequenceNumber } from './rows.ts';

/** Version with the sequence number of its submission. */
export interface NumberedVersion extends PackageListItem {
  readonly sequence: number;
}

/**
 * Returns up to `count` versions of a status after a sequence number, in submission order; none at the end. Unlike an
 * offset, a sequence number stays valid while versions change their status.
 */
export const listVersionsAfter = async (
  { status, sequence }: { readonly status: Status; readonly sequence: number },
  count: number,
  layout: CatalogueLayout = defaultLayout,
): Promise<NumberedVersion[]> => {
  const { partitionBits } = layout;
  const start = sequence + 1;
  const counts = countByPartition(await readLargeCounters(), toFacets({ status }), layout);
  for (const partition of findPartitions(counts, oldestFirst)) {
    if (partition < findPiece(start, partitionBits)) continue;
    const from = Math.max(start, oldestFirst.enter(partition, partitionBits));
    const rows = await readRows({ status, order: oldestFirst }, { partition, from, count });
    if (rows.length > 0) {
      return rows.map((row) => ({ ...readRow(row), sequence: readSequenceNumber(row) }));
    }
  }
  return [];
};
