import { ArchiveError } from './archive.ts';
import type { EntryCollector } from './collect-entries.ts';
import { parsePaxRecords } from './pax-records.ts';
import { blockBytes, parseTarHeader, type TarHeader } from './tar-header.ts';

/** The entries that are neither files nor folders, by their type flags. */
const refusedTypes: Readonly<Record<string, string>> = {
  '1': 'hard link',
  '2': 'symbolic link',
  '3': 'device',
  '4': 'device',
  '6': 'named pipe',
};

/** Headers with records about the next entry: of POSIX, and of Solaris before. */
const recordTypes: readonly string[] = ['x', 'X'];
/** A long name of an old GNU tar. Only some package managers read it. */
const oldLongName = 'N';

/** Maximum size of an extended header or a long name. */
const mostHeaderBytes = 65_536;

/** What extended headers say about the next entry. */
interface Extension {
  readonly path?: string | undefined;
  readonly size?: string | undefined;
  readonly isSparse?: boolean;
}

const isZero = (bytes: Buffer): boolean => {
  for (const byte of bytes) if (byte !== 0) return false;
  return true;
};

/** @throws {ArchiveError} if two headers name the next entry differently: not every package manager reads both */
const addPath = (extension: Extension, path: string | undefined): Extension => {
  if (path === undefined) return extension;
  if (extension.path !== undefined && extension.path !== path)
    throw new ArchiveError('is ambiguous: an entry has two names');
  return { ...extension, path };
};

const addRecords = (extension: Extension, data: Buffer): Extension => {
  const records = parsePaxRecords(data);
  const isSparse = [...records.keys()].some((key) => key.startsWith('GNU.sparse.'));
  return addPath(
    {
      ...extension,
      size: records.get('size') ?? extension.size,
      isSparse: isSparse || extension.isSparse === true,
    },
    records.get('path'),
  );
};

/** @throws {ArchiveError} for a header that changes all later entries: not every package manager reads it */
const checkGlobal = (data: Buffer): void => {
  const records = parsePaxRecords(data);
  const changed = ['path', 'linkpath', 'size'].find((key) => records.has(key));
  if (changed !== undefined)
    throw new ArchiveError(`is ambiguous: a global header sets the ${changed} of all entries`);
};

/** @throws {ArchiveError} if two headers have different sizes: readers would find different entries */
const checkSizes = ({ size }: TarHeader, extension: Extension): void => {
  if (extension.size !== undefined && extension.size !== String(size))
    throw new ArchiveError('is ambiguous: an entry has two sizes');
};

const withoutEnd = (data: Buffer): string => data.toString('utf8').replace(/\0+$/, '');

const findRefusal = (type: string, { isSparse = false }: Extension): string | undefined => {
  if (isSparse) return 'sparse file';
  return type === '0' ? undefined : (refusedTypes[type] ?? 'entry of an unknown type');
};

const readEntry = (
  { name, size, mode, type }: TarHeader,
  content: Buffer,
  collector: EntryCollector,
  extension: Extension,
): void => {
  const isFolder = type === '5' || (type === '0' && name.endsWith('/'));
  if (type === oldLongName) throw new ArchiveError('is ambiguous: it has names of an old format');
  if ((isFolder || refusedTypes[type] !== undefined) && size > 0)
    throw new ArchiveError(`is ambiguous: a ${refusedTypes[type] ?? 'folder'} has content`);
  if (isFolder) return;
  const reason = findRefusal(type, extension);
  if (reason === undefined) collector.add(name, { content, isExecutable: (mode & 0o111) !== 0 });
  else collector.refuse(name, reason);
};

/**
 * Reads the entries of a tar archive. File contents share the memory of `bytes`.
 * @throws {ArchiveError} if the archive is damaged or ambiguous, or has too many entries
 */
export const readTar = (bytes: Buffer, collector: EntryCollector): void => {
  let at = 0;
  let extension: Extension = {};
  const takeContent = (size: number): Buffer => {
    if (size > bytes.length - at) throw new ArchiveError('is damaged: the tar archive ends early');
    const content = bytes.subarray(at, at + size);
    at += Math.ceil(size / blockBytes) * blockBytes;
    return content;
  };
  const takeHeader = (): TarHeader => {
    const block = bytes.subarray(at, at + blockBytes);
    if (block.length < blockBytes) throw new ArchiveError('is damaged: the tar archive ends early');
    at += blockBytes;
    return parseTarHeader(block);
  };
  const takeExtension = (size: number): Buffer => {
    if (size > mostHeaderBytes) throw new ArchiveError('has an extended header above 64 KiB');
    return takeContent(size);
  };
  while (at < bytes.length) {
    if (isZero(bytes.subarray(at, at + blockBytes))) {
      if (isZero(bytes.subarray(at))) return;
      throw new ArchiveError('is ambiguous: the tar archive has data after its end');
    }
    collector.count();
    const header = takeHeader();
    if (header.type === 'g') checkGlobal(takeExtension(header.size));
    else if (recordTypes.includes(header.type))
      extension = addRecords(extension, takeExtension(header.size));
    else if (header.type === 'L')
      extension = addPath(extension, withoutEnd(takeExtension(header.size)));
    else if (header.type === 'K') takeExtension(header.size);
    else {
      checkSizes(header, extension);
      const name = extension.path ?? header.name;
      readEntry({ ...header, name }, takeContent(header.size), collector, extension);
      extension = {};
    }
  }
};
