import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { ArchiveError, refuseSize } from './archive.ts';

const chunkBytes = 256 * 1024;

/**
 * Decompresses gzip. Decompression stops at `maxBytes`.
 * @throws {ArchiveError} if the data is damaged, or longer than `maxBytes` when unpacked
 */
export const unpackGzip = async (
  packed: Buffer,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let length = 0;
  const keep = async (source: AsyncIterable<Buffer>): Promise<void> => {
    for await (const chunk of source) {
      length += chunk.length;
      if (length > maxBytes) throw refuseSize(maxBytes);
      chunks.push(chunk);
    }
  };
  try {
    const gunzip = createGunzip({ chunkSize: chunkBytes });
    await pipeline(Readable.from([packed]), gunzip, keep, { signal });
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ArchiveError) throw error;
    throw new ArchiveError('is damaged: its gzip data is incomplete or wrong');
  }
  return Buffer.concat(chunks, length);
};
