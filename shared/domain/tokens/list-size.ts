/** The most bytes of a token list: the limit of a secret in Secrets Manager. */
export const maxListBytes = 65_536;

/** Share of the limit from which a list counts as nearly full. */
const warnedShare = 0.8;

/** Returns the bytes of a token list. */
export const measureList = (value: string): number => Buffer.byteLength(value);

/** True if a list of so many bytes is nearly full, or full. */
export const isNearlyFull = (bytes: number): boolean => bytes >= warnedShare * maxListBytes;

/** Returns how many more tokens fit, if they are as long as the average one of the list. */
export const countRoom = (value: string): number => {
  const entries = value.split(',').filter((part) => part.trim() !== '').length;
  const bytes = measureList(value);
  // Each entry has a comma.
  return Math.floor((maxListBytes - bytes) / ((bytes + 1) / Math.max(entries, 1)));
};

/** Error for a list that is too long for the secret. */
export class ListFullError extends Error {
  override readonly name = 'ListFullError';
}

/** Checks that a list fits into the secret. @throws {ListFullError} if it does not */
export const checkFits = (value: string): void => {
  const bytes = measureList(value);
  if (bytes <= maxListBytes) return;
  throw new ListFullError(
    `The token list would have ${bytes} of at most ${maxListBytes} bytes, and stays as it is: revoke expired and unused tokens first, which list --used shows.`,
  );
};
