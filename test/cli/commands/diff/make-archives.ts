import { crc32, deflateRawSync, gzipSync } from 'node:zlib';

const blockBytes = 512;

/** An entry of a tar archive, by its raw header fields. */
export interface TarEntry {
  readonly name: string | Buffer;
  readonly content?: string | Buffer;
  readonly type?: string;
  readonly mode?: number;
  /** The size in the header, where it is not that of the content. */
  readonly size?: number;
  /** The raw field of the size. */
  readonly sizeField?: string;
  readonly link?: string;
  readonly prefix?: string;
  readonly magic?: string;
  readonly checksum?: number;
}

const octal = (value: number, length: number): string =>
  `${value.toString(8).padStart(length - 1, '0')}\0`;

const makeHeader = (entry: TarEntry, bytes: Buffer): Buffer => {
  const { name, type = '0', mode = 0o644, size = bytes.length, link = '', prefix = '' } = entry;
  const block = Buffer.alloc(blockBytes);
  Buffer.from(name).copy(block, 0, 0, 100);
  block.write(octal(mode, 8), 100, 'latin1');
  block.write(entry.sizeField ?? octal(size, 12), 124, 'latin1');
  block.write(' '.repeat(8), 148, 'latin1');
  block.write(type, 156, 'latin1');
  block.write(link, 157, 100, 'utf8');
  block.write(entry.magic ?? 'ustar\u000000', 257, 'latin1');
  block.write(prefix, 345, 155, 'utf8');
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${octal(entry.checksum ?? sum, 7)} `, 148, 'latin1');
  return block;
};

const pad = (bytes: Buffer): Buffer =>
  Buffer.concat([bytes, Buffer.alloc((blockBytes - (bytes.length % blockBytes)) % blockBytes)]);

/** Makes a tar archive without its end. */
export const makeTarEntries = (entries: readonly TarEntry[]): Buffer =>
  Buffer.concat(
    entries.flatMap((entry) => {
      const bytes = Buffer.from(entry.content ?? '');
      return [makeHeader(entry, bytes), pad(bytes)];
    }),
  );

export const makeTar = (entries: readonly TarEntry[]): Buffer =>
  Buffer.concat([makeTarEntries(entries), Buffer.alloc(2 * blockBytes)]);

export const makeTarGz = (entries: readonly TarEntry[]): Buffer => gzipSync(makeTar(entries));

/** Makes an npm tarball from the texts of files. */
export const makePackage = (files: Readonly<Record<string, string | Buffer>>): Buffer =>
  makeTarGz(Object.entries(files).map(([name, content]) => ({ name: `package/${name}`, content })));

export const paxRecord = (key: string, value: string): string => {
  const body = ` ${key}=${value}\n`;
  const bytes = Buffer.byteLength(body);
  const length = bytes + String(bytes + String(bytes).length).length;
  return `${length}${body}`;
};

/** An entry of a zip file. What the headers say may differ from what is there. */
export interface ZipFileEntry {
  readonly name: string;
  readonly content?: string | Buffer;
  readonly localName?: string;
  readonly method?: number;
  readonly flags?: number;
  readonly mode?: number;
  readonly size?: number;
  readonly localSize?: number;
  readonly crc?: number;
  /** The extra field in the directory. */
  readonly extra?: Buffer;
  /** Bytes after the data, such as a data descriptor. */
  readonly trailer?: Buffer;
  /** The position of the local header, where it is not that of the entry. */
  readonly offset?: number;
}

const makeLocal = (entry: ZipFileEntry, packed: Buffer, size: number): Buffer => {
  const { name, localName = name, method = 8, flags = 0, localSize = size } = entry;
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(flags, 6);
  header.writeUInt16LE(method, 8);
  header.writeUInt32LE((flags & 8) === 0 ? packed.length : 0, 18);
  header.writeUInt32LE((flags & 8) === 0 ? localSize : 0, 22);
  header.writeUInt16LE(Buffer.byteLength(localName), 26);
  return Buffer.concat([header, Buffer.from(localName), packed, entry.trailer ?? Buffer.alloc(0)]);
};

interface Placed extends ZipFileEntry {
  readonly packed: Buffer;
  readonly real: Buffer;
  readonly at: number;
}

const makeCentral = (entry: Placed): Buffer => {
  const { name, packed, real, method = 8, flags = 0, mode = 0o100644 } = entry;
  const { extra = Buffer.alloc(0) } = entry;
  const header = Buffer.alloc(46);
  header.writeUInt32LE(0x02014b50, 0);
  header.writeUInt8(3, 5);
  header.writeUInt16LE(flags, 8);
  header.writeUInt16LE(method, 10);
  header.writeUInt32LE(entry.crc ?? crc32(real), 16);
  header.writeUInt32LE(packed.length, 20);
  header.writeUInt32LE(entry.size ?? real.length, 24);
  header.writeUInt16LE(Buffer.byteLength(name), 28);
  header.writeUInt16LE(extra.length, 30);
  header.writeUInt16LE(mode, 40);
  header.writeUInt32LE(entry.offset ?? entry.at, 42);
  return Buffer.concat([header, Buffer.from(name), extra]);
};

/** Makes a zip file. `comment` and the fields of the end record may be wrong. */
export const makeZip = (
  entries: readonly ZipFileEntry[],
  end: { readonly comment?: Buffer; readonly total?: number; readonly before?: Buffer } = {},
): Buffer => {
  const locals: Buffer[] = [];
  const placed: Placed[] = [];
  let at = 0;
  for (const entry of entries) {
    const real = Buffer.from(entry.content ?? '');
    const packed = entry.method === 0 ? real : deflateRawSync(real);
    const local = makeLocal(entry, packed, entry.size ?? real.length);
    placed.push({ ...entry, packed, real, at });
    locals.push(local);
    at += local.length;
  }
  const directory = Buffer.concat(placed.map(makeCentral));
  const { comment = Buffer.alloc(0), total = entries.length, before = Buffer.alloc(0) } = end;
  const record = Buffer.alloc(22);
  record.writeUInt32LE(0x06054b50, 0);
  record.writeUInt16LE(total, 8);
  record.writeUInt16LE(total, 10);
  record.writeUInt32LE(directory.length + before.length, 12);
  record.writeUInt32LE(at, 16);
  record.writeUInt16LE(comment.length, 20);
  return Buffer.concat([...locals, directory, before, record, comment]);
};
