import { type Archive, type ArchiveBounds, ArchiveError, archiveBounds } from './archive.ts';
import { collectEntries } from './collect-entries.ts';
import type { ToPackagePath } from './entry-path.ts';
import { readTar } from './read-tar.ts';
import { readZip } from './read-zip.ts';
import { unpackGzip } from './unpack-gzip.ts';

export interface UnpackOptions {
  readonly format: 'tar.gz' | 'zip';
  readonly toPackagePath: ToPackagePath;
  readonly signal: AbortSignal;
  readonly bounds?: ArchiveBounds;
}

/**
 * Unpacks an archive in memory. Nothing is written to disk, and no link is followed.
 * @throws {ArchiveError} if the archive is damaged, above a limit, or ambiguous
 */
export const unpackArchive = async (
  packed: Buffer,
  { format, toPackagePath, signal, bounds = archiveBounds }: UnpackOptions,
): Promise<Archive> => {
  if (packed.length > bounds.packedBytes) throw new ArchiveError('is too large');
  const collector = collectEntries(bounds, toPackagePath);
  if (format === 'zip') readZip(packed, collector, bounds.bytes);
  else readTar(await unpackGzip(packed, bounds.bytes, signal), collector);
  signal.throwIfAborted();
  return collector.finish();
};
