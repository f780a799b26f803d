import { digest } from '../../util/digest.ts';
import { minuteMs } from '../../util/duration.ts';
import type { FeedRow } from './feed-rows.ts';

/** Unfinished pass through a list, from its newest row down. The next run continues it. */
export interface FeedPass {
  /** ETag of the list; null if the list has changed in this pass. */
  readonly etag: string | null;
  /** Identity of the list that `offset` belongs to. */
  readonly list: string;
  /** Byte offset of the first row that is not read. */
  readonly offset: number;
  /** Rows up to this time are not read. */
  readonly floor: string;
  /** Time of the newest row of the pass. */
  readonly newest: string | null;
  /** Fingerprints of the last rows before `offset`, in their order. */
  readonly last: string;
  /** Newest time of these rows. */
  readonly ceiling: string | null;
  /** True if rows after `offset` may already be read, because the list has changed. */
  readonly isCatchingUp: boolean;
}

/** State of a feed after a run, as JSON of at most 280 KB. Callers store it and pass it to the next run. */
export interface FeedPosition {
  /** ETag of the list that was read; the next run asks for a newer one. */
  readonly etag: string | null;
  /** Time of the newest row that was handled. */
  readonly newest: string | null;
  /** Lower bound of the next pass: 48 h below `newest`, and lower while older rows may be missing. */
  readonly floor: string | null;
  /** Fingerprints of the handled rows above `floor`, in groups of ten minutes with their time. */
  readonly handled: readonly (readonly [time: string, fingerprints: string])[];
  readonly pass: FeedPass | null;
}

const fingerprintLength = 8;

/** Returns eight characters for a pair of id and time. Two of 30,000 pairs are equal with a probability of 1 in 600,000. */
export const fingerprint = ({ id, modified }: FeedRow): string =>
  digest([id, modified]).slice(0, fingerprintLength);

/** Returns the fingerprints of a text, in their order. */
export const splitFingerprints = (text: string): string[] =>
  text.match(new RegExp(`.{${fingerprintLength}}`, 'g')) ?? [];

/** Length of a group in JSON, without its fingerprints. */
const groupLength = 30;

const groupMs = 10 * minuteMs;
const toGroup = (timeMs: number): string => new Date(timeMs).toISOString().slice(0, 15);
const endOfGroup = (group: string): number => Date.parse(`${group}0:00.000Z`) + groupMs;

/** Rows that were handled. */
export interface HandledRows {
  has(row: FeedRow): boolean;
  add(row: FeedRow): void;
  /**
   * Returns the rows above a floor, as a position stores them. Above the maximum length, the oldest groups are left out, and
   * the returned floor is higher. An unfinished pass still needs the rows up to `neededMs`, which come first.
   */
  store(limits: {
    readonly floorMs: number;
    readonly neededMs?: number;
    readonly length: number;
  }): { readonly handled: FeedPosition['handled']; readonly floorMs: number };
}

/** Returns the handled rows of a position. */
export const openHandled = (stored: FeedPosition['handled']): HandledRows => {
  const groups = new Map(stored.map(([group, text]) => [group, new Set(splitFingerprints(text))]));
  return {
    has: (row) => groups.get(toGroup(row.timeMs))?.has(fingerprint(row)) ?? false,
    add: (row) => {
      const group = toGroup(row.timeMs);
      const prints = groups.get(group);
      if (prints) prints.add(fingerprint(row));
      else groups.set(group, new Set([fingerprint(row)]));
    },
    store: ({ floorMs, neededMs = Number.NEGATIVE_INFINITY, length: maxLength }) => {
      const newestFirst = [...groups]
        .map(([group, prints]) => ({ group, prints, endMs: endOfGroup(group) }))
        .filter(({ endMs }) => endMs > floorMs)
        .sort((one, other) => other.endMs - one.endMs);
      const isNeeded = ({ endMs }: { endMs: number }): boolean => endMs - groupMs <= neededMs;
      const others = newestFirst.filter((one) => !isNeeded(one));
      const kept: [string, string][] = [];
      let length = 0;
      for (const { group, prints, endMs } of [...newestFirst.filter(isNeeded), ...others]) {
        length += groupLength + prints.size * fingerprintLength;
        if (length > maxLength) return { handled: kept, floorMs: endMs };
        kept.push([group, [...prints].join('')]);
      }
      return { handled: kept, floorMs };
    },
  };
};
