/** Returns the lines of a text without line ends. A last line end is no line. */
const toLines = (text: string): string[] => {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
};

const toText = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');

/**
 * Returns a text with a line in place of the first line that matches, or else at the end. Other lines that match are removed:
 * the last one would count.
 */
export const setLine = (text: string, pattern: RegExp, line: string): string => {
  const lines = toLines(text);
  const first = lines.findIndex((one) => pattern.test(one));
  if (first < 0) return toText([...lines, line]);
  return toText([
    ...lines.slice(0, first),
    line,
    ...lines.slice(first + 1).filter((one) => !pattern.test(one)),
  ]);
};

/** Returns a text with a line at its beginning, in place of all lines that match. */
export const setFirstLine = (text: string, pattern: RegExp, line: string): string =>
  toText([line, ...toLines(text).filter((one) => !pattern.test(one))]);

/** Returns a text with lines at its end, unless it has them. */
export const addLines = (text: string, lines: readonly string[]): string => {
  const known = toLines(text);
  const has = known.some((_, at) => lines.every((line, offset) => known[at + offset] === line));
  return has ? text : toText([...known, ...lines]);
};

/** Returns the lines that differ, as `- old` and `+ new`. */
export const listChanges = (before: string, after: string): string[] => {
  const [old, now] = [toLines(before), toLines(after)];
  return [
    ...old.filter((line) => !now.includes(line)).map((line) => `- ${line}`),
    ...now.filter((line) => !old.includes(line)).map((line) => `+ ${line}`),
  ];
};
