import { hash, randomBytes } from 'node:crypto';
import type { StoredRowSums } from '../../api/schemas/integrity.ts';
import { findPiece } from '../catalogue/layout.ts';
import { type CatalogueRow, readSequenceNumber } from '../catalogue/rows.ts';

/**
 * Sums of checksums that show which versions may have wrong rows, from one scan of all versions and one of all rows. Each
 * row is read once, and no row is looked up.
 */

/** Number of ranges of sequence numbers. Few versions share a range, and all sums together have 64 KB. */
const ranges = 2 ** 14;

/** Size of a sum in bytes. Another row has the same checksum by chance in one of four billion cases. */
const sumBytes = 4;

/** Sums of the expected rows minus the stored ones, by range of sequence numbers: 0 if both are the same. */
export interface RowSums {
  readonly addExpected: (row: CatalogueRow) => void;
  /** Subtracts a stored row. A row in a bucket without a counter is never the same as the expected one. */
  readonly subtractStored: (row: CatalogueRow, isCounted: boolean) => void;
  /** True if a version with this sequence number may have a wrong row. Also true for a number that is none. */
  readonly isSuspect: (sequence: number) => boolean;
  readonly hasSuspects: () => boolean;
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
  seed: randomBytes(9).toString('base64url'),
  rangeBits: Math.max(0, Math.ceil(Math.log2((newest + 1) / ranges))),
  sums: Buffer.alloc(ranges * sumBytes).toString('base64'),
});

/** Returns the sums of a check, to continue with. */
export const openRowSums = ({ seed, rangeBits, sums: stored }: StoredRowSums): RowSums => {
  const sums = new Uint32Array(ranges);
  const bytes = Buffer.from(stored, 'base64');
  for (let at = 0; at < ranges; at += 1) sums[at] = bytes.readUInt32LE(at * sumBytes);

  const findRange = (sequence: number): number =>
    sequence >= 0 ? findPiece(sequence, rangeBits) % ranges : 0;

  /** Adds to the sum of a range. The array keeps the lowest 32 bits. */
  const add = (row: CatalogueRow, text: string, sign: 1 | -1): void => {
    const checksum = hash('sha256', `${seed} ${text}`, 'buffer').readUInt32LE(0);
    const range = findRange(readSequenceNumber(row));
    sums[range] = (sums[range] ?? 0) + sign * checksum;
  };

  return {
    addExpected: (row) => add(row, toText(row), 1),
    subtractStored: (row, isCounted) => add(row, isCounted ? toText(row) : `-${toText(row)}`, -1),
    isSuspect: (sequence) => sums[findRange(sequence)] !== 0,
    hasSuspects: () => sums.some((sum) => sum !== 0),
    store: () => ({ seed, rangeBits, sums: Buffer.from(sums.buffer).toString('base64') }),
  };
};
