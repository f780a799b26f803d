import type { StoredRowSums } from '../../api/schemas/integrity.ts';
import { findPiece } from '../catalogue/layout.ts';
import { type CatalogueRow, readSequenceNumber } from '../catalogue/rows.ts';
import { openSums, type Sums, startSums } from './sums.ts';

/**
 * Sums of checksums that show which versions may have wrong rows, from one scan of all versions and one of all rows. Each
 * row is read once, and no row is looked up.
 */

/** Number of ranges of sequence numbers. Few versions share a range, and all sums together have 64 KB. */
const ranges = 2 ** 14;

/** Sums of the expected rows minus the stored ones, by range of sequence numbers: 0 if both are the same. */
export interface RowSums extends Pick<Sums, 'hasSuspects'> {
  readonly addExpected: (row: CatalogueRow) => void;
  /** Subtracts a stored row. A row in a bucket without a counter is never the same as the expected one. */
  readonly subtractStored: (row: CatalogueRow, isCounted: boolean) => void;
  /** True if a version with this sequence number may have a wrong row. Also true for a number that is none. */
  readonly isSuspect: (sequence: number) => boolean;
  /** Returns the sums for the next step of the check. */
  readonly store: () => StoredRowSums;
}

/** Returns a text that differs for different rows. All attributes of a right row are text. */
const toText = (row: object): string =>
  Object.entries(row)
    .map(([name, value]: [string, unknown]) =>
      typeof value === 'string' ? `${name}=${value.length}:${value}` : `${name}?`,
    )
    .sort()
    .join(' ');

/** Returns the sums of a new check. `newest` is the newest sequence number, with which all ranges are used alike. */
export const startRowSums = (newest: number): StoredRowSums => ({
  ...startSums(ranges),
  rangeBits: Math.max(0, Math.ceil(Math.log2((newest + 1) / ranges))),
});

/** Returns the sums of a check, to continue with. */
export const openRowSums = ({ rangeBits, ...stored }: StoredRowSums): RowSums => {
  const sums = openSums(stored);

  const findRange = (sequence: number): number =>
    sequence >= 0 ? findPiece(sequence, rangeBits) % sums.ranges : 0;

  const add = (row: CatalogueRow, text: string, times: 1 | -1): void =>
    sums.add(findRange(readSequenceNumber(row)), text, times);

  return {
    addExpected: (row) => add(row, toText(row), 1),
    subtractStored: (row, isCounted) => add(row, isCounted ? toText(row) : `-${toText(row)}`, -1),
    isSuspect: (sequence) => sums.isSuspect(findRange(sequence)),
    hasSuspects: sums.hasSuspects,
    store: () => ({ ...sums.store(), rangeBits }),
  };
};
