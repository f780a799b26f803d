import { structuredPatch } from 'diff';
import { showHidden } from '../../../output/text.ts';

/** The unified diff of one file. */
export interface TextDiff {
  readonly lines: readonly string[];
  /** The number of lines at the end that are left out. */
  readonly omitted: number;
}

/** The lines around a change. */
const contextLines = 3;
/** The number of changed lines up to which the shortest difference is found. Its search takes time with the square. */
const mostEdits = 1_000;
/** Characters of a line that are shown: a longer line keeps its start and its end. */
const [lineStart, lineEnd] = [2_000, 200];

const shortenLine = (line: string): string => {
  const omitted = line.length - lineStart - lineEnd;
  return omitted > 0
    ? `${line.slice(0, lineStart)}<${omitted} characters>${line.slice(-lineEnd)}`
    : line;
};

/** Keeps a job of GitHub Actions from obeying `::command::`, which it also finds after blanks. */
const disarm = (line: string): string => line.replace(/^( \s*):(?=:)/, '$1:\u{200b}');

const showLine = (line: string): string => disarm(showHidden(shortenLine(line)));

interface Hunk {
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newStart: number;
  readonly newLines: number;
  readonly lines: readonly string[];
}

const splitLines = (text: string): string[] => {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
};

const countCommon = (one: readonly string[], other: readonly string[]): number => {
  const at = one.findIndex((line, index) => line !== other[index]);
  return at < 0 ? one.length : at;
};

/** Returns one hunk that replaces all between the equal start and the equal end of two texts. */
const replaceMiddle = (before: string, after: string): Hunk => {
  const [old, fresh] = [splitLines(before), splitLines(after)];
  const start = countCommon(old, fresh);
  const end = countCommon(old.slice(start).reverse(), fresh.slice(start).reverse());
  const [removed, added] = [
    old.slice(start, old.length - end),
    fresh.slice(start, fresh.length - end),
  ];
  return {
    ...{ oldStart: start + 1, oldLines: removed.length },
    ...{ newStart: start + 1, newLines: added.length },
    lines: [...removed.map((line) => `-${line}`), ...added.map((line) => `+${line}`)],
  };
};

const findHunks = (before: string, after: string): readonly Hunk[] => {
  const options = { context: contextLines, maxEditLength: mostEdits };
  const patch = structuredPatch('', '', before, after, undefined, undefined, options);
  return patch?.hunks ?? [replaceMiddle(before, after)];
};

/** Formats a range of lines. An empty one has the number of the line before it. */
const formatRange = (start: number, lines: number): string => {
  if (lines === 1) return `${start}`;
  return lines === 0 ? `${start - 1},0` : `${start},${lines}`;
};

const formatHunk = ({ oldStart, oldLines, newStart, newLines, lines }: Hunk): string[] => [
  `@@ -${formatRange(oldStart, oldLines)} +${formatRange(newStart, newLines)} @@`,
  ...lines.map(showLine),
];

/**
 * Returns the unified diff of two texts, without the names of files. Hidden characters are shown by their code points, and
 * long lines are shortened.
 */
export const diffText = (before: string, after: string, mostLines: number): TextDiff => {
  const lines = findHunks(before, after).flatMap(formatHunk);
  return { lines: lines.slice(0, mostLines), omitted: Math.max(0, lines.length - mostLines) };
};
