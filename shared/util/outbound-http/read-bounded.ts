import { UpstreamError } from './upstream-error.ts';

/** Error for a response above the maximum size. */
export class TooLargeError extends UpstreamError {}

const mebibyte = 1024 * 1024;

const describe = (who: string, maxBytes: number): TooLargeError =>
  new TooLargeError(
    maxBytes < mebibyte
      ? `${who} responded with more than ${Math.round(maxBytes / 1024)} KiB`
      : `${who} responded with more than ${Math.round(maxBytes / mebibyte)} MiB`,
  );

/**
 * Returns the decompressed body of a response. Reading stops at `maxBytes`.
 * @throws {TooLargeError} if the body is longer
 */
export const readBounded = async (
  who: string,
  { body }: Response,
  maxBytes: number,
): Promise<Buffer> => {
  const chunks: Uint8Array[] = [];
  let length = 0;
  // Leaving the loop cancels the response.
  for await (const chunk of body ?? []) {
    length += chunk.length;
    if (length > maxBytes) throw describe(who, maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
};
