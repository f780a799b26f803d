import { ArchiveError } from './archive.ts';

export const blockBytes = 512;

/** The header of a tar entry. */
export interface TarHeader {
  readonly name: string;
  readonly size: number;
  readonly mode: number;
  /** The type flag, a digit or a letter; `0` for a regular file. */
  readonly type: string;
}

/** The position of a field: offset and length. */
type Field = readonly [offset: number, length: number];

const fields = {
  name: [0, 100],
  mode: [100, 8],
  size: [124, 12],
  checksum: [148, 8],
  type: [156, 1],
  magic: [257, 8],
  prefix: [345, 155],
} as const satisfies Record<string, Field>;

/** The mark of an archive with prefixes. Some readers use a prefix without it, others do not. */
const posixMagic = 'ustar\u000000';

const readText = (block: Buffer, [offset, length]: Field): string => {
  const field = block.subarray(offset, offset + length);
  const end = field.indexOf(0);
  return field.toString('utf8', 0, end < 0 ? length : end);
};

/** Returns an octal number. Undefined for other notations, which only sizes above 8 GB need. */
const readOctal = (block: Buffer, [offset, length]: Field): number | undefined => {
  const text = block.toString('latin1', offset, offset + length);
  const digits = /^ *([0-7]*)[ \0]*$/.exec(text)?.[1];
  return digits === undefined ? undefined : Number.parseInt(digits || '0', 8);
};

const sumBytes = (block: Buffer): number => {
  const [start, length] = fields.checksum;
  let sum = length * ' '.charCodeAt(0);
  for (let at = 0; at < blockBytes; at += 1) {
    if (at < start || at >= start + length) sum += block[at] ?? 0;
  }
  return sum;
};

const readName = (block: Buffer): string => {
  const name = readText(block, fields.name);
  const prefix = readText(block, fields.prefix);
  if (prefix === '') return name;
  const [start, length] = fields.magic;
  if (block.toString('latin1', start, start + length) === posixMagic) return `${prefix}/${name}`;
  throw new ArchiveError('is ambiguous: it has prefixes of names, and is no POSIX archive');
};

/** @throws {ArchiveError} if the block is no header */
export const parseTarHeader = (block: Buffer): TarHeader => {
  const size = readOctal(block, fields.size);
  if (readOctal(block, fields.checksum) !== sumBytes(block) || size === undefined)
    throw new ArchiveError('is damaged: a header of the tar archive is wrong');
  const type = block.toString('latin1', fields.type[0], fields.type[0] + 1);
  return {
    name: readName(block),
    size,
    mode: readOctal(block, fields.mode) ?? 0,
    type: type === '\0' || type === '7' ? '0' : type,
  };
};
