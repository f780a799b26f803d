/** What all rows of an answer may take together, as `measureAnswer` counts. Lambda takes 6,291,456 bytes in all. */
export const maxAnswerBytes = 5_500_000;

/**
 * How many bytes a value takes in the answer of a function, which holds the body as a string: its JSON is escaped once
 * more, as JSON.
 */
export const measureAnswer = (value: unknown): number =>
  Buffer.byteLength(JSON.stringify(JSON.stringify(value)));

/** Rows without those that are too large for an answer even by themselves. */
export const dropOversized = <T>(rows: readonly T[], maxBytes: number = maxAnswerBytes): T[] =>
  rows.filter((row) => measureAnswer(row) <= maxBytes);

/** The first rows, as many as fit into one answer, or into a part of one; at least one of them. */
export const takeFitting = <T>(rows: readonly T[], maxBytes: number = maxAnswerBytes): T[] => {
  let bytes = 0;
  const end = rows.findIndex((row, at) => {
    bytes += measureAnswer(row);
    return at > 0 && bytes > maxBytes;
  });
  return end < 0 ? [...rows] : rows.slice(0, end);
};
