import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Archive,
  type ArchiveBounds,
  ArchiveError,
  archiveBounds,
} from '../../../../cli/commands/diff/archives/archive.ts';
import { dropWheelVersion } from '../../../../cli/commands/diff/archives/entry-path.ts';
import { unpackArchive } from '../../../../cli/commands/diff/archives/unpack-archive.ts';
import { histories } from '../../../support/histories.ts';
import { checkBounds, listTexts } from './check-archives.ts';
import { makeZip, type ZipFileEntry } from './make-archives.ts';

const unpack = (packed: Buffer, bounds: Partial<ArchiveBounds> = {}): Promise<Archive> =>
  unpackArchive(packed, {
    ...{ format: 'zip', toPackagePath: dropWheelVersion, signal: new AbortController().signal },
    bounds: { ...archiveBounds, ...bounds },
  });

const file: ZipFileEntry = { name: 'a.py', content: 'print(1)' };
const other: ZipFileEntry = { name: 'b.py', content: 'print(2)' };

describe('a zip file', () => {
  it('has its files, stored and compressed, with their executable bits', async () => {
    const archive = await unpack(
      makeZip([
        { name: 'pkg/', mode: 0o040755 },
        { name: 'pkg/a.py', content: 'a'.repeat(1_000) },
        { name: 'pkg/run', content: 'b', method: 0, mode: 0o100755 },
        { name: 'pkg/empty' },
        { name: 'pkg-1.0.0.dist-info/METADATA', content: 'Name: pkg' },
      ]),
    );

    expect(listTexts(archive)).toEqual({
      'pkg/a.py': 'a'.repeat(1_000),
      'pkg/run': 'b',
      'pkg/empty': '',
      'pkg.dist-info/METADATA': 'Name: pkg',
    });
    expect(archive.files.get('pkg/run')?.isExecutable).toBe(true);
    expect(archive.refused).toEqual([]);
  });

  it('may have data descriptors and a comment', async () => {
    const packed = makeZip([{ ...file, flags: 8, trailer: Buffer.alloc(16, 1) }, other], {
      comment: Buffer.from('a comment'),
    });

    expect(listTexts(await unpack(packed))).toEqual({ 'a.py': 'print(1)', 'b.py': 'print(2)' });
  });
});

describe('an entry of a zip file is refused and named, and the others are compared', () => {
  it.each<[string, ZipFileEntry, string]>([
    ['..', { name: '../x.py', content: 'x' }, 'leaves the package'],
    ['an absolute path', { name: '/x.py', content: 'x' }, 'absolute'],
    ['a drive', { name: 'd:x.py', content: 'x' }, 'drive'],
    ['a backslash', { name: '..\\x.py', content: 'x' }, 'backslash'],
    ['NUL', { name: 'x.py\0.txt', content: 'x' }, 'NUL'],
    ['a long name', { name: 'x'.repeat(2_000), content: 'x' }, '1024 characters'],
    ['a symbolic link', { name: 'l', content: '/etc/passwd', mode: 0o120777 }, 'symbolic link'],
    ['a device', { name: 'd', mode: 0o020644 }, 'special file'],
  ])('%s', async (_what, entry, reason) => {
    const archive = await unpack(makeZip([entry, file]));

    expect(listTexts(archive)).toEqual({ 'a.py': 'print(1)' });
    expect(archive.refused).toEqual([
      { path: entry.name.slice(0, 200), reason: expect.stringContaining(reason) },
    ]);
  });

  it('a file of the same path as an earlier one, which it replaces', async () => {
    const archive = await unpack(makeZip([file, { name: './a.py', content: 'evil' }]));

    expect(listTexts(archive)).toEqual({ 'a.py': 'evil' });
    expect(archive.refused).toHaveLength(1);
  });
});

/** Writes a zip64 locator before the end record. */
const zip64 = Buffer.alloc(20);
zip64.writeUInt32LE(0x07064b50);

const secondEnd = makeZip([]);

/** An extra field with the name `setup.py`. */
const unicodeName = Buffer.from('\u0075\u0070\r\0\u0001crc.setup.py', 'latin1');

describe('a zip file is refused', () => {
  it.each<[string, Buffer, string]>([
    ['without an end', Buffer.from('PK\u0003\u0004 and no more'), 'end record'],
    ['that is cut off', makeZip([file]).subarray(0, -1), 'end record'],
    ['with data after its end', Buffer.concat([makeZip([file]), Buffer.alloc(3)]), 'end record'],
    ['with data before its start', Buffer.concat([Buffer.alloc(3), makeZip([file])]), 'end record'],
    ['with two ends', makeZip([file], { comment: secondEnd }), 'two end records'],
    ['with zip64', makeZip([file], { before: zip64 }), 'zip64'],
    ['with more entries than it says', makeZip([file, other], { total: 1 }), 'number of entries'],
    ['with fewer entries than it says', makeZip([file], { total: 2 }), 'number of entries'],
    ['that is encrypted', makeZip([{ ...file, flags: 1 }]), 'encrypted'],
    ['with strong encryption', makeZip([{ ...file, flags: 0x41 }]), 'encrypted'],
    ['with another compression', makeZip([{ ...file, method: 12 }]), 'compression method 12'],
    ['with another name in its local header', makeZip([{ ...file, localName: 'c.py' }]), 'differ'],
    ['with another size in its local header', makeZip([{ ...file, localSize: 3 }]), 'differ'],
    ['with a size below the true one', makeZip([{ ...file, size: 3 }]), 'data of an entry'],
    ['with a size above the true one', makeZip([{ ...file, size: 90 }]), 'size or checksum'],
    [
      'with a wrong size of a stored entry',
      makeZip([{ ...file, method: 0, size: 3 }]),
      'size or checksum',
    ],
    ['with a wrong checksum', makeZip([{ ...file, crc: 1 }]), 'checksum'],
    [
      'with another name in an extra field',
      makeZip([{ ...file, extra: unicodeName }]),
      'two names',
    ],
    ['with content in a folder', makeZip([{ name: 'pkg/', content: 'x' }]), 'folder has content'],
    ['with an offset outside', makeZip([{ ...file, offset: 5_000 }]), 'local header'],
    ['with an offset that is no header', makeZip([{ ...file, offset: 1 }]), 'local header'],
    ['with overlapping entries', makeZip([file, { ...file, offset: 0 }]), 'overlap'],
  ])('%s', async (_what, packed, message) => {
    await expect(unpack(packed)).rejects.toThrow(ArchiveError);
    await expect(unpack(packed)).rejects.toThrow(message);
  });

  it('with data after the compressed content of an entry', async () => {
    const hidden = Buffer.concat([deflateRawSync(Buffer.from('x')), Buffer.from('hidden')]);
    const stored = makeZip([{ name: 'a', content: hidden, method: 0 }]);
    const directory = stored.indexOf(Buffer.from('PK\u0001\u0002', 'latin1'));
    // The stored content becomes a compressed one of one byte.
    stored.writeUInt16LE(8, 8);
    stored.writeUInt32LE(1, 22);
    stored.writeUInt16LE(8, directory + 10);
    stored.writeUInt32LE(1, directory + 24);

    await expect(unpack(stored)).rejects.toThrow('the data of an entry');
  });

  it('of more bytes than the limit, before any entry is unpacked', async () => {
    const entries = Array.from({ length: 30 }, (_, at) => ({
      ...{ name: `zeros-${at}`, content: Buffer.alloc(1_000_000), crc: 0 },
    }));

    await expect(unpack(makeZip(entries), { bytes: 20_000_000 })).rejects.toThrow(
      'unpacks to more than 20 MB',
    );
  });

  it('of more than 20,000 entries, before they are read', async () => {
    const entries = Array.from({ length: 20_001 }, (_, at) => ({ name: `${at}`, method: 0 }));

    await expect(unpack(makeZip(entries))).rejects.toThrow('more than 20,000 entries');
  });
});

it('any files come back as they were', async () => {
  const names = fc.stringMatching(/^[a-z]{1,9}(?:\/[a-z]{1,9})?$/);
  const files = fc.dictionary(names, fc.tuple(fc.string(), fc.constantFrom(0, 8)));
  await fc.assert(
    fc.asyncProperty(files, async (given) => {
      const entries = Object.entries(given).map(([name, [content, method]]) => ({
        ...{ name, content, method },
      }));

      const archive = await unpack(makeZip(entries));

      expect(listTexts(archive)).toEqual(
        Object.fromEntries(entries.map(({ name, content }) => [name, content])),
      );
    }),
    { numRuns: histories(300), seed: 1 },
  );
});

describe('any bytes', () => {
  const check = (packed: Buffer): Promise<void> => checkBounds(packed, unpack);
  const name = fc.oneof(
    fc.string({ maxLength: 50 }),
    fc.array(fc.constantFrom('..', '.', '', 'a', 'C:', 'b\\c')).map((parts) => parts.join('/')),
  );
  const entry = fc.record(
    {
      name,
      content: fc.uint8Array({ maxLength: 2_000 }).map((bytes) => Buffer.from(bytes)),
      localName: name,
      method: fc.constantFrom(0, 8, 9),
      flags: fc.constantFrom(0, 1, 8, 0x800),
      mode: fc.constantFrom(0, 0o100644, 0o100755, 0o120777, 0o040755),
      size: fc.nat(5_000),
      offset: fc.nat(5_000),
    },
    { requiredKeys: ['name'] },
  );

  it('are refused or read within the limits, as a zip file with any entries', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(entry, { maxLength: 25 }), (entries) => check(makeZip(entries))),
      { numRuns: histories(300), seed: 1 },
    );
  });

  it('are refused or read within the limits, after any change of a few bytes', async () => {
    const valid = makeZip([
      { ...file, content: 'x'.repeat(500) },
      { ...other, flags: 8 },
    ]);
    const change = fc.tuple(fc.nat(valid.length - 1), fc.nat(255));
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 6 }), async (changes) => {
        const bytes = Buffer.from(valid);
        for (const [at, value] of changes) bytes[at] = value;
        await check(bytes);
      }),
      { numRuns: histories(300), seed: 1 },
    );
  });

  it('are refused or read within the limits, without any form', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 3_000 }), (bytes) => check(Buffer.from(bytes))),
      { numRuns: histories(300), seed: 1 },
    );
  });
});
