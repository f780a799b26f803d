import { isBrowseKey, isCounterKey } from '../catalogue/catalogue-keys.ts';
import { findPiece } from '../catalogue/layout.ts';
import { type CatalogueRow, readSequenceNumber, rowsTable } from '../catalogue/rows.ts';
import { type PackageItem, packagesTable } from '../packages/package-item.ts';
import { isSequenceNumber } from '../packages/version-keys.ts';
import {
  type Check,
  type CheckContext,
  definePhase,
  describeVersion,
  type Page,
  scanInPages,
  scanSegments,
} from './check.ts';
import { listLargeBuckets } from './check-summaries.ts';
import { isVersion } from './check-versions.ts';
import { expectRows, findExpectedRows } from './expected-rows.ts';

/**
 * Sums of the rows that versions must have, and of all stored rows. Two scans find where rows are wrong, missing or
 * surplus. Later phases look up the versions and rows there only.
 */

const versionsAPage = 200;
const rowsAPage = 2000;

const scanVersions = scanInPages<PackageItem>(packagesTable, versionsAPage);
const scanRows = scanInPages<CatalogueRow>(rowsTable, rowsAPage);

type SummedItem = PackageItem | CatalogueRow;

const isRow = (item: SummedItem): item is CatalogueRow => 'p' in item;

/** Returns a function that is true for rows of lists in a large bucket without a counter. Reads the counters once. */
const createCountedTest = ({ layout }: CheckContext) => {
  let known: Promise<readonly number[]> | undefined;
  return async (row: CatalogueRow): Promise<boolean> => {
    if (!isBrowseKey(row)) return true;
    known ??= listLargeBuckets(layout);
    return (await known).includes(findPiece(readSequenceNumber(row), layout.largeBucketBits));
  };
};

/** Returns the check that fails for a version whose rows are unknown, and reports the cause. */
const checkReadable = (version: PackageItem, { layout }: CheckContext): Check => ({
  subject: `rows of ${describeVersion(version)}`,
  examine: async () => {
    expectRows(version, layout);
    return [];
  },
});

/** Both tables at the same time, so that few writes come between the scans. */
export const sumsPhase = definePhase<SummedItem>({
  segments: 2 * scanSegments,
  hasRepairs: false,
  readPage: (position, { number }, context): Promise<Page<SummedItem>> => {
    const scan = number < scanSegments ? scanVersions : scanRows;
    return scan(position, { number: number % scanSegments, of: scanSegments }, context);
  },
  async *checkPage({ items }, context) {
    const rows = items.filter(isRow).filter((row) => !isCounterKey(row));
    const isCounted = createCountedTest(context);
    for (const row of rows) context.rowSums.subtractStored(row, await isCounted(row));
    for (const version of items) {
      if (isRow(version) || !isVersion(version)) continue;
      const expected = findExpectedRows(version, context.layout);
      if (expected) expected.forEach(context.rowSums.addExpected);
      else if (isSequenceNumber(version.sequence)) yield checkReadable(version, context);
    }
    return rows.length;
  },
});
