import { UpstreamError } from '../../util/outbound-http/upstream-error.ts';
import { feedName, type ListPart, type PartRequest } from './feed-http.ts';
import type { FeedPosition } from './feed-position.ts';
import type { FeedLimits, FeedReader } from './feed-reader.ts';
import { splitLines } from './feed-rows.ts';

const maxPartBytes = 1024 * 1024;

/** Requests a part of a list; undefined if the list has the known ETag. */
export type ReadPart = (request: Omit<PartRequest, 'path'>) => Promise<ListPart | undefined>;

/** Where a run is in a list. */
interface Place {
  /** ETag of the list; null if the list has changed in this pass. */
  etag: string | null;
  list: string;
  /** Offset of the first byte that is not read. */
  offset: number;
  /** True if the offset is inside a line. */
  isInside: boolean;
  /** True if the list changed in this run, so that each part overlaps with the part before it. */
  hasMoved: boolean;
  /** True if the list is read from its start again, because it became shorter than the offset. */
  hasRestarted: boolean;
}

/** Reads the lines of a part, and moves the place behind them. */
const readLines = (
  reader: FeedReader,
  place: Place,
  { bytes, total }: ListPart,
): 'read' | 'full' | 'finished' => {
  const end = place.offset + bytes.length;
  const { lines, rest } = splitLines(bytes, place.offset, place.isInside);
  for (const line of lines) {
    const outcome = reader.read(line.text);
    if (outcome === 'full') return 'full';
    if (outcome === 'reached') return 'finished';
    place.offset = line.end;
  }
  // The last line of a list that is cut has no end. It is incomplete.
  if (bytes.length === 0 || (total !== null && end >= total)) return 'finished';
  // A line that is longer than the part is no row.
  place.isInside = lines.length === 0;
  place.offset = place.isInside ? end : rest;
  return 'read';
};

/** Compares a part with the list that the place belongs to. Returns true if another part has to be requested. */
const hasToMove = (place: Place, { list, bytes, total }: ListPart): boolean => {
  const isOther = list !== place.list;
  place.list = list;
  // The next run reads the list without a condition, since this one read parts of two lists.
  if (isOther) place.etag = null;
  if (isOther && !place.hasMoved) {
    place.hasMoved = true;
    return true;
  }
  const isShorter = bytes.length === 0 && place.offset > 0 && (total ?? 0) < place.offset;
  if (!isShorter || place.hasRestarted) return false;
  Object.assign(place, { etag: null, offset: 0, hasMoved: true, hasRestarted: true });
  return true;
};

/** Requests the next part, with an overlap if the list has changed. */
const requestNext = async (
  readPart: ReadPart,
  place: Place,
  size: number,
  { overlapBytes }: FeedLimits,
): Promise<{ part: ListPart; offset: number }> => {
  const offset = place.hasMoved ? Math.max(0, place.offset - overlapBytes) : place.offset;
  const part = await readPart({ offset, size });
  if (!part) throw new UpstreamError(`${feedName} returned no part of its list`);
  return { part, offset };
};

const readOn = async (
  readPart: ReadPart,
  reader: FeedReader,
  place: Place,
  first: ListPart | undefined,
  limits: FeedLimits,
): Promise<FeedPosition> => {
  let size = limits.partBytes;
  let left = limits.bytes;
  let part = first;
  while (left > 0) {
    if (!part) {
      const next = await requestNext(readPart, place, size, limits);
      left -= next.part.bytes.length;
      if (hasToMove(place, next.part)) continue;
      part = next.part;
      if (place.hasMoved) {
        Object.assign(place, { offset: next.offset, isInside: next.offset > 0 });
        reader.catchUp();
      }
    }
    const outcome = readLines(reader, place, part);
    if (outcome === 'finished') return reader.finish(place.etag);
    if (outcome === 'full') break;
    size = Math.min(2 * size, Math.max(size, maxPartBytes));
    part = undefined;
  }
  return reader.pause(place);
};

/**
 * Reads a list from the place of a pass down to its floor, in parts. Returns the position for the next run; undefined if the
 * list has the known ETag. A failure after the first lines ends the run early.
 * @throws {UpstreamError} if no line can be read
 */
export const readList = async (
  readPart: ReadPart,
  reader: FeedReader,
  knownEtag: string | null,
  limits: FeedLimits,
): Promise<FeedPosition | undefined> => {
  const { etag, list, offset } = reader.pass;
  const flags = { isInside: false, hasMoved: false, hasRestarted: false };
  const place: Place = { etag, list, offset, ...flags };
  let first: ListPart | undefined;
  if (reader.isNewPass) {
    first = await readPart({ offset, size: limits.partBytes, knownEtag });
    if (!first) return undefined;
    Object.assign(place, { etag: first.etag, list: first.list });
  }
  try {
    const next = await readOn(readPart, reader, place, first, limits);
    if (reader.lines > 0 && reader.skippedLines === reader.lines && next.pass === null) {
      throw new UpstreamError(`${feedName} returned a list without rows`);
    }
    return next;
  } catch (error) {
    if (!(error instanceof UpstreamError) || reader.lines === reader.skippedLines) throw error;
    return reader.pause(place);
  }
};
