import { crc32, inflateRawSync } from 'node:zlib';
import { ArchiveError, refuseSize } from './archive.ts';
import type { EntryCollector } from './collect-entries.ts';
import { parseZipDirectory, refuseDamaged, type ZipEntry } from './zip-directory.ts';

const localSignature = 0x04034b50;
const localBytes = 30;
const encrypted = 0x2041;
const hasDescriptor = 0x8;
const stored = 0;
const deflated = 8;

/** File types in a Unix mode. */
const typeMask = 0o170000;
const plainTypes: readonly number[] = [0, 0o100000, 0o040000];
const symbolicLink = 0o120000;

/** Returns whether a size of the local header is right: with a descriptor it may be unknown. */
const isLocalSize = (local: number, { flags }: ZipEntry, size: number): boolean =>
  local === size || ((flags & hasDescriptor) !== 0 && (local === 0 || local === 0xffffffff));

/**
 * Returns the position of an entry's data, after its local header.
 * @throws {ArchiveError} if local header and directory differ: some readers use the one, some the other
 */
const findData = (bytes: Buffer, entry: ZipEntry, end: number): number => {
  const { offset, name, method, flags } = entry;
  if (offset + localBytes > end || bytes.readUInt32LE(offset) !== localSignature)
    throw refuseDamaged('a local header');
  const nameEnd = offset + localBytes + bytes.readUInt16LE(offset + 26);
  const start = nameEnd + bytes.readUInt16LE(offset + 28);
  if (start + entry.packedSize > end) throw refuseDamaged('a local header');
  const isSame =
    bytes.toString('utf8', offset + localBytes, nameEnd) === name &&
    bytes.readUInt16LE(offset + 8) === method &&
    bytes.readUInt16LE(offset + 6) === flags &&
    isLocalSize(bytes.readUInt32LE(offset + 18), entry, entry.packedSize) &&
    isLocalSize(bytes.readUInt32LE(offset + 22), entry, entry.size);
  if (!isSame)
    throw new ArchiveError('is ambiguous: the directory and a local header of the zip file differ');
  return start;
};

/** @throws {ArchiveError} if the data is longer, shorter or other than the directory says */
const inflate = (packed: Buffer, { size }: ZipEntry): Buffer => {
  try {
    const options = { maxOutputLength: Math.max(1, size), info: true };
    // The types do not know the option `info`.
    const { buffer, engine } = inflateRawSync(packed, options) as unknown as {
      readonly buffer: Buffer;
      readonly engine: { readonly bytesWritten: number };
    };
    if (engine.bytesWritten === packed.length) return buffer;
  } catch {
    // The error of zlib says less.
  }
  throw refuseDamaged('the data of an entry');
};

const unpack = (packed: Buffer, entry: ZipEntry): Buffer => {
  const { method, size, crc } = entry;
  if (method !== stored && method !== deflated)
    throw new ArchiveError(`has an entry with the compression method ${method}, which is not read`);
  const content = method === stored ? packed : inflate(packed, entry);
  if (content.length !== size || crc32(content) !== crc)
    throw refuseDamaged('the size or checksum of an entry');
  return content;
};

/** @throws {ArchiveError} if the data of two entries overlaps, as in archives that unpack to far more than their size */
const refuseOverlaps = (spans: readonly (readonly [start: number, end: number])[]): void => {
  const sorted = spans.toSorted(([one], [other]) => one - other);
  const isOverlapping = sorted.some(([start], at) => start < (sorted[at - 1]?.[1] ?? 0));
  if (isOverlapping) throw new ArchiveError('has entries that overlap');
};

const readEntry = (packed: Buffer, entry: ZipEntry, collector: EntryCollector): void => {
  const { name, mode, size } = entry;
  if (name.endsWith('/')) {
    if (size > 0) throw new ArchiveError('is ambiguous: a folder has content');
    return;
  }
  const type = mode & typeMask;
  if (!plainTypes.includes(type)) {
    collector.refuse(name, type === symbolicLink ? 'symbolic link' : 'special file');
    return;
  }
  collector.add(name, { content: unpack(packed, entry), isExecutable: (mode & 0o111) !== 0 });
};

/**
 * Reads the entries of a zip file.
 * @throws {ArchiveError} if the file is damaged, ambiguous or encrypted, or above a limit
 */
export const readZip = (bytes: Buffer, collector: EntryCollector, maxBytes: number): void => {
  const { start, entries } = parseZipDirectory(bytes, collector.count);
  if (entries.some(({ flags }) => (flags & encrypted) !== 0))
    throw new ArchiveError('has encrypted entries');
  const total = entries.reduce((sum, { size }) => sum + size, 0);
  if (total > maxBytes) throw refuseSize(maxBytes);
  const places = entries.map((entry) => ({ entry, from: findData(bytes, entry, start) }));
  refuseOverlaps(places.map(({ entry, from }) => [entry.offset, from + entry.packedSize]));
  for (const { entry, from } of places)
    readEntry(bytes.subarray(from, from + entry.packedSize), entry, collector);
};
