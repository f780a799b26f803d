import { AskError } from './upstream-error.ts';

/** An answer is longer than anybody wants to hold. */
export class TooLargeError extends AskError {}

const mebibyte = 1024 * 1024;

const describe = (who: string, maxBytes: number): TooLargeError =>
  new TooLargeError(`${who} answered with more than ${Math.round(maxBytes / mebibyte)} MiB`);

/**
 * The body of an answer, decompressed, of at most so many bytes. What is longer is not read to its end.
 * @throws {TooLargeError}
 */
export const readBounded = async (
  who: string,
  { body }: Response,
  maxBytes: number,
): Promise<Buffer> => {
  const chunks: Uint8Array[] = [];
  let length = 0;
  // To leave the loop ends the exchange.
  for await (const chunk of body ?? []) {
    length += chunk.length;
    if (length > maxBytes) throw describe(who, maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
};
