/**
 * Maximum size of all rows in a response, in bytes as measured by `measureAnswer`. Lambda's limit is 6,291,456 bytes
 * for the whole response.
 */
export const maxAnswerBytes = 5_500_000;

/**
 * Returns the size of a value in a Lambda response, in bytes. The response contains the body as a string, so its JSON
 * is escaped twice.
 */
export const measureAnswer = (value: unknown): number =>
  Buffer.byteLength(JSON.stringify(JSON.stringify(value)));

/** Returns the rows that fit into a response on their own. */
export const dropOversized = <T>(rows: readonly T[], maxBytes: number = maxAnswerBytes): T[] =>
  rows.filter((row) => measureAnswer(row) <= maxBytes);

/** Returns as many first rows as fit into `maxBytes`, at least one. */
export const takeFitting = <T>(rows: readonly T[], maxBytes: number = maxAnswerBytes): T[] => {
  let bytes = 0;
  const end = rows.findIndex((row, at) => {
    bytes += measureAnswer(row);
    return at > 0 && bytes > maxBytes;
  });
  return end < 0 ? [...rows] : rows.slice(0, end);
};
