/** Row of a list of changes. */
export interface FeedRow {
  readonly id: string;
  readonly modified: string;
  readonly timeMs: number;
}

const rowPattern =
  /^([12]\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)),([A-Za-z][\w.:-]{0,99})\r?$/;

/** Parses a line such as `2026-03-31T03:22:12.627Z,MAL-2026-2307`; undefined for any other text. */
export const parseRow = (line: string): FeedRow | undefined => {
  const [, modified = '', id = ''] = rowPattern.exec(line) ?? [];
  const timeMs = Date.parse(modified);
  return Number.isNaN(timeMs) ? undefined : { id, modified, timeMs };
};

/** Line of a list, with the byte offset of the line after it. */
export interface ListLine {
  readonly text: string;
  readonly end: number;
}

const newline = 0x0a;

/** Lines of a list in a part of its bytes. */
export interface PartLines {
  readonly lines: readonly ListLine[];
  /** Byte offset of the line that has no end in this part. */
  readonly rest: number;
}

/** Returns the whole lines of a part that begins at `offset`. With `isInside`, the part begins inside a line, which is left out. */
export const splitLines = (bytes: Buffer, offset: number, isInside: boolean): PartLines => {
  let from = isInside ? bytes.indexOf(newline) + 1 : 0;
  if (isInside && from === 0) return { lines: [], rest: offset };
  const lines: ListLine[] = [];
  for (let end = bytes.indexOf(newline, from); end >= 0; end = bytes.indexOf(newline, from)) {
    lines.push({ text: bytes.toString('latin1', from, end), end: offset + end + 1 });
    from = end + 1;
  }
  return { lines, rest: offset + from };
};
