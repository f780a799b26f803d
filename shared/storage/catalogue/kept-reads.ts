import type { SearchTerm } from '../../domain/packages/search.ts';
import type { RangeRead } from './read-range.ts';

/** Milliseconds for which the rows of one broad term are kept. */
const keepMs = 2000;

/** Returns a store for the rows of the last broad term. The bound of a search also bounds its memory. */
export const createKeptReads = (readClock: () => number, broadRows: number) => {
  let term = '';
  let reads: readonly RangeRead[] = [];

  return {
    /** Returns the kept rows of a term, and forgets those of others. */
    find: ({ text }: SearchTerm): readonly RangeRead[] => {
      const oldest = Math.min(...reads.map(({ readAt }) => readAt));
      if (text !== term || readClock() - oldest > keepMs) reads = [];
      return reads;
    },
    /** Keeps the rows of a broad term. */
    keep: ({ text }: SearchTerm, read: readonly RangeRead[]): void => {
      const rows = read.reduce((sum, one) => sum + one.rows.length, 0);
      term = text;
      reads = rows >= broadRows ? read : [];
      if (reads.length === 0) return;
      // An idle instance needs no memory for them.
      const forget = (): void => {
        if (reads === read) reads = [];
      };
      setTimeout(forget, keepMs).unref();
    },
  };
};
