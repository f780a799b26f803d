import { hourMs } from '../../util/duration.ts';
import {
  type FeedPass,
  type FeedPosition,
  fingerprint,
  openHandled,
  splitFingerprints,
} from './feed-position.ts';
import { type FeedRow, parseRow } from './feed-rows.ts';

/** Change of a record in a feed. */
export interface FeedChange {
  readonly id: string;
  /** Time of the change, as the feed spells it. */
  readonly modified: string;
}

/** Time below the newest row in which rows may appear late. */
const windowMs = 48 * hourMs;

/** Limits of one run. */
export interface FeedLimits {
  readonly rows: number;
  readonly changes: number;
  readonly bytes: number;
  /** Size of the first request; later ones are larger. */
  readonly partBytes: number;
  /** Bytes before the offset that are read again if the list has changed. Its rows can move up by some bytes. */
  readonly overlapBytes: number;
  /** Rows below the floor, one after the other, that end a pass. Fewer may be rows in the wrong place. */
  readonly rowsBelow: number;
  /** Last rows before the offset of a pass that are remembered. */
  readonly remembered: number;
  /** Maximum length of the handled rows in a position. A DynamoDB item has at most 400 KB, and costs by its size. */
  readonly handledLength: number;
}

export const defaultLimits: FeedLimits = {
  rows: 100_000,
  changes: 500,
  bytes: 16 * 1024 * 1024,
  partBytes: 64 * 1024,
  overlapBytes: 8 * 1024,
  rowsBelow: 500,
  remembered: 1000,
  handledLength: 250_000,
};

/** Maximum time that the clock of a feed may be ahead. */
const maxAheadMs = hourMs;

const toText = (ms: number): string => new Date(ms).toISOString();
const toMs = (text: string | null): number =>
  text === null ? Number.NEGATIVE_INFINITY : Date.parse(text);
const toTextOrNull = (ms: number): string | null => (Number.isFinite(ms) ? toText(ms) : null);

/** Returns the first pass of a run: the unfinished one, or a new one from the top of the list. */
const startPass = (position: FeedPosition | undefined, now: number): FeedPass =>
  position?.pass ?? {
    etag: null,
    list: '',
    offset: 0,
    floor: position?.floor ?? toText(now - windowMs),
    newest: null,
    last: '',
    ceiling: null,
    isCatchingUp: false,
  };

/** What to do after a line: read on, or end the run before this line, or end the pass. */
export type LineOutcome = 'read' | 'full' | 'reached';

/** Reads the lines of one run. It keeps the state of the pass, and sends no requests. */
export interface FeedReader {
  /** State at the start of the run. */
  readonly pass: FeedPass;
  /** True if the pass begins with this run. */
  readonly isNewPass: boolean;
  /** Number of lines that are no rows. */
  readonly skippedLines: number;
  /** Number of lines that were read. */
  readonly lines: number;
  /** Reads one line. */
  read(text: string): LineOutcome;
  /** Lets the next lines overlap with lines that were read before, because the list has changed. */
  catchUp(): void;
  /** Returns the changes so far, oldest first. */
  listChanges(): FeedChange[];
  /** Returns the position for the next run to continue the pass at an offset of a list. */
  pause(at: {
    readonly list: string;
    readonly offset: number;
    readonly etag: string | null;
  }): FeedPosition;
  /** Returns the position after the end of the list or the floor. */
  finish(etag: string | null): FeedPosition;
}

/** Creates the reader of a run that continues a position; undefined for the first run of a feed. */
export const createFeedReader = (
  position: FeedPosition | undefined,
  now: number,
  limits: FeedLimits,
): FeedReader => {
  const pass = startPass(position, now);
  const floorMs = toMs(pass.floor);
  const handled = openHandled(position?.handled ?? []);
  const ceilingMs = toMs(pass.ceiling);
  let last = splitFingerprints(pass.last).map((print) => ({ print, timeMs: ceilingMs }));
  let { isCatchingUp } = pass;
  let overlap = new Set(last.map(({ print }) => print));
  let overlapCeilingMs = ceilingMs;
  let overlapEnd = last.at(-1)?.print;
  let newestMs = toMs(pass.newest);
  let [lines, skippedLines, below] = [0, 0, 0];
  const changes: FeedRow[] = [];

  /** True if the row was read before the list changed. */
  const isOverlap = (row: FeedRow, print: string): boolean => {
    if (!isCatchingUp) return false;
    if (print === overlapEnd) isCatchingUp = false;
    return overlap.has(print) || row.timeMs > overlapCeilingMs;
  };

  const remember = (print: string, timeMs: number): void => {
    last.push({ print, timeMs });
    if (last.length >= 2 * limits.remembered) last = last.slice(-limits.remembered);
  };

  const findCeilingMs = (): number =>
    last
      .slice(-limits.remembered)
      .reduce((max, { timeMs }) => Math.max(max, timeMs), Number.NEGATIVE_INFINITY);

  /** Reads a row. Returns false if it is a change above the limit of the run. */
  const readRow = (row: FeedRow): boolean => {
    const print = fingerprint(row);
    if (isOverlap(row, print)) return true;
    const isChange = row.timeMs > floorMs && row.id.startsWith('MAL-') && !handled.has(row);
    if (isChange && changes.length === limits.changes) return false;
    if (isChange) {
      changes.push(row);
      handled.add(row);
    }
    remember(print, row.timeMs);
    if (row.timeMs <= now + maxAheadMs) newestMs = Math.max(newestMs, row.timeMs);
    below = row.timeMs <= floorMs ? below + 1 : 0;
    return true;
  };

  /** Returns the floor of the next pass. Handled rows that are left out raise it, but never above the newest row. */
  const raiseFloor = (baseMs: number, storedMs: number): string =>
    toText(Math.max(baseMs, toMs(position?.floor ?? null), Math.min(storedMs, newestMs)));

  return {
    pass,
    isNewPass: !position?.pass,
    get skippedLines() {
      return skippedLines;
    },
    get lines() {
      return lines;
    },
    read: (text) => {
      if (lines === limits.rows) return 'full';
      const row = parseRow(text);
      if (row && !readRow(row)) return 'full';
      lines += 1;
      if (!row) skippedLines += 1;
      return below >= limits.rowsBelow ? 'reached' : 'read';
    },
    catchUp: () => {
      if (last.length === 0) return;
      overlap = new Set(last.slice(-limits.remembered).map(({ print }) => print));
      overlapCeilingMs = findCeilingMs();
      overlapEnd = last.at(-1)?.print;
      isCatchingUp = true;
    },
    listChanges: () =>
      changes
        .sort((one, other) => one.timeMs - other.timeMs)
        .map(({ id, modified }) => ({ id, modified })),
    pause: ({ list, offset, etag }) => {
      const stored = handled.store({
        floorMs,
        neededMs: toMs(position?.newest ?? null),
        length: limits.handledLength,
      });
      return {
        etag: position?.etag ?? null,
        newest: position?.newest ?? null,
        floor: raiseFloor(floorMs, stored.floorMs),
        handled: stored.handled,
        pass: {
          ...{ etag, list, offset, isCatchingUp, floor: pass.floor },
          newest: toTextOrNull(newestMs),
          last: last
            .slice(-limits.remembered)
            .map(({ print }) => print)
            .join(''),
          ceiling: toTextOrNull(findCeilingMs()),
        },
      };
    },
    finish: (etag) => {
      const newest = Math.max(toMs(position?.newest ?? null), newestMs);
      // A list that ends above the floor may be cut, so that its older rows are still missing.
      const nextMs = below > 0 ? Math.max(floorMs, newest - windowMs) : floorMs;
      const stored = handled.store({
        floorMs: Math.max(nextMs, toMs(position?.floor ?? null)),
        length: limits.handledLength,
      });
      return {
        etag,
        newest: toTextOrNull(newest),
        floor: raiseFloor(nextMs, stored.floorMs),
        handled: stored.handled,
        pass: null,
      };
    },
  };
};
