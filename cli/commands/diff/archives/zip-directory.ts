import { ArchiveError } from './archive.ts';

/** An entry of the central directory of a zip file. */
export interface ZipEntry {
  readonly name: string;
  readonly flags: number;
  /** The compression method: 0 for none, 8 for deflate. */
  readonly method: number;
  readonly crc: number;
  readonly packedSize: number;
  readonly size: number;
  /** The file mode of Unix; 0 from other systems. */
  readonly mode: number;
  /** The position of the local header. */
  readonly offset: number;
}

/** The central directory of a zip file, and where it begins. */
export interface ZipDirectory {
  readonly start: number;
  readonly entries: readonly ZipEntry[];
}

const endSignature = 0x06054b50;
const endBytes = 22;
const longestComment = 0xffff;
const entrySignature = 0x02014b50;
const entryBytes = 46;
const zip64Signature = 0x07064b50;
const zip64Bytes = 20;
const unix = 3;
/** The extra field with a name in UTF-8, after a version and a checksum. */
const unicodePath = 0x7075;

export const refuseDamaged = (what: string): ArchiveError =>
  new ArchiveError(`is damaged: ${what} of the zip file is wrong`);

/** Returns the position of the end record. Its comment reaches to the end of the file. */
const findEnd = (bytes: Buffer): number => {
  const found: number[] = [];
  const last = bytes.length - endBytes;
  for (let at = Math.max(0, last - longestComment); at <= last; at += 1) {
    const isEnd = bytes.readUInt32LE(at) === endSignature;
    if (isEnd && at + endBytes + bytes.readUInt16LE(at + 20) === bytes.length) found.push(at);
  }
  const [end] = found;
  if (end === undefined) throw refuseDamaged('the end record');
  if (found.length > 1) throw new ArchiveError('is ambiguous: it has two end records');
  return end;
};

/** @throws {ArchiveError} if an extra field has another name: Python reads it, other readers do not */
const refuseSecondName = (name: string, extra: Buffer): void => {
  for (let at = 0; at + 4 <= extra.length; ) {
    const end = at + 4 + extra.readUInt16LE(at + 2);
    if (extra.readUInt16LE(at) === unicodePath && extra.toString('utf8', at + 9, end) !== name)
      throw new ArchiveError('is ambiguous: an entry has two names');
    at = end;
  }
};

const parseEntry = (bytes: Buffer, at: number, end: number): ZipEntry & { next: number } => {
  if (at + entryBytes > end || bytes.readUInt32LE(at) !== entrySignature)
    throw refuseDamaged('the directory');
  const nameStart = at + entryBytes;
  const nameEnd = nameStart + bytes.readUInt16LE(at + 28);
  const next = nameEnd + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  if (next > end) throw refuseDamaged('the directory');
  const isUnix = bytes.readUInt8(at + 5) === unix;
  const name = bytes.toString('utf8', nameStart, nameEnd);
  refuseSecondName(name, bytes.subarray(nameEnd, nameEnd + bytes.readUInt16LE(at + 30)));
  return {
    name,
    flags: bytes.readUInt16LE(at + 8),
    method: bytes.readUInt16LE(at + 10),
    crc: bytes.readUInt32LE(at + 16),
    packedSize: bytes.readUInt32LE(at + 20),
    size: bytes.readUInt32LE(at + 24),
    mode: isUnix ? bytes.readUInt16LE(at + 40) : 0,
    offset: bytes.readUInt32LE(at + 42),
    next,
  };
};

const refuseZip64 = (bytes: Buffer, end: number): void => {
  const at = end - zip64Bytes;
  if (at >= 0 && bytes.readUInt32LE(at) === zip64Signature)
    throw new ArchiveError('is a zip64 file, which only files above 4 GB need');
};

/**
 * Parses the central directory of a zip file.
 * @param count is called before each entry is read
 * @throws {ArchiveError} if the directory is damaged, ambiguous or a zip64 directory
 */
export const parseZipDirectory = (bytes: Buffer, count: () => void): ZipDirectory => {
  const end = findEnd(bytes);
  refuseZip64(bytes, end);
  const total = bytes.readUInt16LE(end + 10);
  const isOneDisk = bytes.readUInt32LE(end + 4) === 0 && bytes.readUInt16LE(end + 8) === total;
  const [size, start] = [bytes.readUInt32LE(end + 12), bytes.readUInt32LE(end + 16)];
  if (!isOneDisk || start + size !== end) throw refuseDamaged('the end record');
  const entries: ZipEntry[] = [];
  for (let at = start; at < end; ) {
    count();
    const { next, ...entry } = parseEntry(bytes, at, end);
    entries.push(entry);
    at = next;
  }
  if (entries.length !== total) throw refuseDamaged('the number of entries');
  return { start, entries };
};
