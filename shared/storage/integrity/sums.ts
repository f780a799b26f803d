import { hash, randomBytes } from 'node:crypto';
import type { StoredSums } from '../../api/schemas/integrity.ts';

/** Size of a sum in bytes. Another text has the same checksum by chance in one of four billion cases. */
const sumBytes = 4;

/** Sums of checksums by range: 0 if the same texts were added and subtracted, in any order. */
export interface Sums {
  readonly ranges: number;
  /** Adds the checksum of a text to the sum of a range, a number of times; subtracts it for a negative number. */
  readonly add: (range: number, text: string, times: number) => void;
  /** True if texts of this range differ. */
  readonly isSuspect: (range: number) => boolean;
  readonly hasSuspects: () => boolean;
  /** Returns the sums for the next step of the check. */
  readonly store: () => StoredSums;
}

/** Returns the sums of a new check. */
export const startSums = (ranges: number): StoredSums => ({
  seed: randomBytes(9).toString('base64url'),
  sums: Buffer.alloc(ranges * sumBytes).toString('base64'),
});

/** Returns the sums of a check, to continue with. */
export const openSums = ({ seed, sums: stored }: StoredSums): Sums => {
  const bytes = Buffer.from(stored, 'base64');
  const sums = new Uint32Array(bytes.length / sumBytes);
  for (let at = 0; at < sums.length; at += 1) sums[at] = bytes.readUInt32LE(at * sumBytes);
  return {
    ranges: sums.length,
    // The array keeps the lowest 32 bits.
    add: (range, text, times) => {
      const checksum = hash('sha256', `${seed} ${text}`, 'buffer').readUInt32LE(0);
      sums[range] = (sums[range] ?? 0) + Math.imul(times, checksum);
    },
    isSuspect: (range) => sums[range] !== 0,
    hasSuspects: () => sums.some((sum) => sum !== 0),
    store: () => ({ seed, sums: Buffer.from(sums.buffer).toString('base64') }),
  };
};
