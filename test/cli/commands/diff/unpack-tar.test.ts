import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Archive,
  type ArchiveBounds,
  ArchiveError,
  archiveBounds,
} from '../../../../cli/commands/diff/archives/archive.ts';
import { dropTopFolder } from '../../../../cli/commands/diff/archives/entry-path.ts';
import { unpackArchive } from '../../../../cli/commands/diff/archives/unpack-archive.ts';
import { histories } from '../../../support/histories.ts';
import { checkBounds, listTexts } from './check-archives.ts';
import { makeTar, makeTarEntries, makeTarGz, paxRecord, type TarEntry } from './make-archives.ts';

const unpack = (
  packed: Buffer,
  bounds: Partial<ArchiveBounds> = {},
  signal = new AbortController().signal,
): Promise<Archive> =>
  unpackArchive(packed, {
    ...{ format: 'tar.gz', toPackagePath: dropTopFolder, signal },
    bounds: { ...archiveBounds, ...bounds },
  });

const unpackEntries = (...entries: readonly TarEntry[]) => unpack(makeTarGz(entries));

describe('a tarball', () => {
  it('has the files of its top folder, with their executable bits', async () => {
    const archive = await unpackEntries(
      { name: 'package/', type: '5' },
      { name: 'package/index.js', content: 'a' },
      { name: './package/./bin//run', content: 'b', mode: 0o755 },
    );

    expect(listTexts(archive)).toEqual({ 'index.js': 'a', 'bin/run': 'b' });
    expect([...archive.files.values()].map(({ isExecutable }) => isExecutable)).toEqual([
      false,
      true,
    ]);
    expect(archive.refused).toEqual([]);
  });

  it.each<[string, TarEntry[]]>([
    [
      'of PAX',
      [{ name: 'x', type: 'x', content: paxRecord('path', `package/${'d/'.repeat(200)}f`) }],
    ],
    [
      'of Solaris',
      [{ name: 'x', type: 'X', content: paxRecord('path', `package/${'d/'.repeat(200)}f`) }],
    ],
    ['of GNU', [{ name: 'x', type: 'L', content: `package/${'d/'.repeat(200)}f\0` }]],
    [
      'in both notations',
      [
        { name: 'x', type: 'L', content: `package/${'d/'.repeat(200)}f\0` },
        { name: 'x', type: 'x', content: paxRecord('path', `package/${'d/'.repeat(200)}f`) },
      ],
    ],
  ])('may have a long name %s', async (_kind, headers) => {
    const archive = await unpackEntries(...headers, { name: 'package/short', content: 'a' });

    expect(listTexts(archive)).toEqual({ [`${'d/'.repeat(200)}f`]: 'a' });
  });

  it('may have a prefix, a comment for all entries, and no end', async () => {
    const entries = makeTarEntries([
      { name: 'pax_global_header', type: 'g', content: paxRecord('comment', 'a commit') },
      { name: 'b/c.js', prefix: 'package/a', content: 'x' },
    ]);

    expect(listTexts(await unpack(gzipSync(entries)))).toEqual({ 'a/b/c.js': 'x' });
  });
});

describe('an entry of a tarball is refused and named, and the others are compared', () => {
  it.each<[string, TarEntry, string]>([
    ['..', { name: 'package/../../etc/passwd', content: 'x' }, 'leaves the package'],
    ['an absolute path', { name: '/etc/passwd', content: 'x' }, 'absolute'],
    ['a drive', { name: 'C:/windows/x', content: 'x' }, 'drive'],
    ['a backslash', { name: 'package\\..\\x', content: 'x' }, 'backslash'],
    ['no folder', { name: 'evil.js', content: 'x' }, 'outside the package folder'],
    ['no name', { name: '.', content: 'x' }, 'the name is empty'],
    ['an unknown type', { name: 'package/x', type: '9' }, 'unknown type'],
    ['a hard link', { name: 'package/l', type: '1', link: '/etc/passwd' }, 'hard link'],
    ['a symbolic link', { name: 'package/l', type: '2', link: '../..' }, 'symbolic link'],
    ['a character device', { name: 'package/d', type: '3' }, 'device'],
    ['a block device', { name: 'package/d', type: '4' }, 'device'],
    ['a named pipe', { name: 'package/p', type: '6' }, 'named pipe'],
    ['a sparse file', { name: 'package/s', type: 'S' }, 'unknown type'],
  ])('%s', async (_what, entry, reason) => {
    const archive = await unpackEntries(entry, { name: 'package/good.js', content: 'good' });

    expect(listTexts(archive)).toEqual({ 'good.js': 'good' });
    expect(archive.refused).toHaveLength(1);
    expect(archive.refused[0]?.reason).toContain(reason);
    expect(archive.refused[0]?.path).toBe(String(entry.name));
  });

  it.each([
    ['NUL', 'package/a\0b', 'NUL'],
    ['..', '../x', 'leaves the package'],
    ['more than 1,024 characters', `package/${'x'.repeat(1_100)}`, '1024 characters'],
  ])('a PAX name with %s', async (_what, path, reason) => {
    const archive = await unpackEntries(
      { name: 'x', type: 'x', content: paxRecord('path', path) },
      { name: 'package/harmless', content: 'x' },
    );

    expect(archive.files.size).toBe(0);
    expect(archive.refused).toEqual([
      { path: path.slice(0, 200), reason: expect.stringContaining(reason) },
    ]);
  });

  it('a PAX sparse file', async () => {
    const archive = await unpackEntries(
      { name: 'x', type: 'x', content: paxRecord('GNU.sparse.name', 'package/y') },
      { name: 'package/x', content: 'x' },
    );

    expect(archive.refused).toEqual([{ path: 'package/x', reason: 'sparse file' }]);
  });

  it('a file of the same path as an earlier one, which it replaces as in package managers', async () => {
    const archive = await unpackEntries(
      { name: 'package/a.js', content: 'harmless' },
      { name: 'other/./a.js', content: 'evil' },
    );

    expect(listTexts(archive)).toEqual({ 'a.js': 'evil' });
    expect(archive.refused).toEqual([
      { path: 'other/./a.js', reason: 'an earlier entry has the same path' },
    ]);
  });
});

it('a file that occurs twice with the same content is not named', async () => {
  const file: TarEntry = { name: 'package/a.js', content: 'x' };

  expect((await unpackEntries(file, file)).refused).toEqual([]);
});

describe('a tarball is refused', () => {
  const file: TarEntry = { name: 'package/a', content: 'x' };

  it.each<[string, Buffer, string]>([
    ['that is no gzip', Buffer.from('hello'), 'gzip'],
    ['that is cut off', makeTarGz([file]).subarray(0, 60), 'gzip'],
    [
      'with a wrong checksum of gzip',
      Buffer.concat([makeTarGz([file]).subarray(0, -8), Buffer.alloc(8)]),
      'gzip',
    ],
    ['with a wrong checksum of a header', makeTarGz([{ ...file, checksum: 1 }]), 'header'],
    ['with a size that is no number', makeTarGz([{ ...file, sizeField: 'xyz' }]), 'header'],
    ['with a negative size', makeTarGz([{ ...file, sizeField: '-1' }]), 'header'],
    [
      'with a binary size',
      makeTarGz([{ ...file, sizeField: '\x80\0\0\0\0\0\0\0\0\0\0\x01' }]),
      'header',
    ],
    ['with a size above its end', makeTarGz([{ ...file, size: 5_000_000 }]), 'ends early'],
    ['that ends in a header', gzipSync(makeTar([file]).subarray(0, 300)), 'ends early'],
    [
      'with data after its end',
      gzipSync(Buffer.concat([makeTar([file]), makeTar([{ name: 'package/b', content: 'y' }])])),
      'data after its end',
    ],
    [
      'with content in a link',
      makeTarGz([{ name: 'package/l', type: '2', content: 'x' }]),
      'content',
    ],
    [
      'with content in a folder',
      makeTarGz([{ name: 'package/d', type: '5', content: 'x' }]),
      'content',
    ],
    [
      'with content in a folder by name',
      makeTarGz([{ name: 'package/d/', content: 'x' }]),
      'content',
    ],
    [
      'with two sizes of an entry',
      makeTarGz([{ name: 'x', type: 'x', content: paxRecord('size', '512') }, file]),
      'two sizes',
    ],
    [
      'with two names of an entry',
      makeTarGz([
        { name: 'x', type: 'L', content: 'package/b\0' },
        { name: 'x', type: 'x', content: paxRecord('path', 'package/c') },
        file,
      ]),
      'two names',
    ],
    [
      'with a long name of an old format',
      makeTarGz([{ name: 'x', type: 'N', content: 'a' }]),
      'old',
    ],
    ['with a prefix of GNU', makeTarGz([{ ...file, prefix: 'p', magic: 'ustar  \0' }]), 'prefixes'],
    [
      'with a name for all entries',
      makeTarGz([{ name: 'x', type: 'g', content: paxRecord('path', 'package/b') }, file]),
      'global header',
    ],
    [
      'with a wrong record',
      makeTarGz([{ name: 'x', type: 'x', content: '99 path=a\n' }]),
      'extended',
    ],
    [
      'with a record of no length',
      makeTarGz([{ name: 'x', type: 'x', content: '0 a=b\n' }]),
      'extended',
    ],
    [
      'with a large extended header',
      makeTarGz([{ name: 'x', type: 'x', content: paxRecord('path', 'x'.repeat(70_000)) }, file]),
      '64 KiB',
    ],
  ])('%s', async (_what, packed, message) => {
    await expect(unpack(packed)).rejects.toThrow(ArchiveError);
    await expect(unpack(packed)).rejects.toThrow(message);
  });

  it('above the size of a download', async () => {
    await expect(unpack(makeTarGz([file]), { packedBytes: 10 })).rejects.toThrow(ArchiveError);
  });

  it('of 100,000 entries, before the rest is read', async () => {
    const entry = makeTarEntries([{ name: 'package/', type: '5' }]);
    const packed = gzipSync(Buffer.concat(Array.from({ length: 100_000 }, () => entry)));

    await expect(unpack(packed)).rejects.toThrow('has more than 20,000 entries');
  });

  it('that is a bomb, without unpacking more than the limit', async () => {
    // Each member of 64 MB is packed to 64 kB: 3.2 GB in all.
    const member = gzipSync(Buffer.alloc(64_000_000));
    const bomb = Buffer.concat(Array.from({ length: 50 }, () => member));
    const before = process.memoryUsage.rss();

    await expect(unpack(bomb, { bytes: 20_000_000 })).rejects.toThrow('unpacks to more than 20 MB');

    expect(process.memoryUsage.rss() - before).toBeLessThan(200_000_000);
  });

  it('after an abort', async () => {
    const stopping = new AbortController();
    stopping.abort(new Error('stopped'));

    await expect(unpack(makeTarGz([file]), {}, stopping.signal)).rejects.toThrow('stopped');
  });
});

it('any files come back as they were', async () => {
  const names = fc.stringMatching(/^[a-z]{1,9}(?:\/[a-z]{1,9})?$/);
  await fc.assert(
    fc.asyncProperty(fc.dictionary(names, fc.string({ maxLength: 2_000 })), async (given) => {
      const entries = Object.entries(given).map(([name, content]) => ({
        ...{ name: `package/${name}`, content },
      }));

      expect(listTexts(await unpackEntries(...entries))).toEqual({ ...given });
    }),
    { numRuns: histories(200), seed: 1 },
  );
});

describe('any bytes', () => {
  const check = (packed: Buffer): Promise<void> => checkBounds(packed, unpack);
  const name = fc.oneof(
    fc.string({ maxLength: 99 }),
    fc
      .array(fc.constantFrom('package', '..', '.', '', 'a', 'C:', 'b\\c'))
      .map((parts) => parts.join('/').slice(0, 99)),
  );
  const entry = fc.record(
    {
      name,
      type: fc.constantFrom('0', '\0', '1', '2', '3', '5', '7', 'x', 'g', 'L', 'K', 'S', 'Z'),
      content: fc.oneof(
        fc.uint8Array({ maxLength: 2_000 }).map((bytes) => Buffer.from(bytes)),
        name.map((path) => paxRecord('path', path)),
      ),
      mode: fc.nat(0o7777),
      prefix: name,
    },
    { requiredKeys: ['name'] },
  );

  it('are refused or read within the limits, as a tar archive with any entries', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(entry, { maxLength: 25 }), (entries) => check(makeTarGz(entries))),
      { numRuns: histories(200), seed: 1 },
    );
  });

  it('are refused or read within the limits, after any change of a few bytes', async () => {
    const change = fc.tuple(fc.nat(4_000), fc.nat(255));
    const valid = makeTar([
      { name: 'x', type: 'x', content: paxRecord('path', 'package/long') },
      { name: 'package/a', content: 'x'.repeat(600) },
      { name: 'package/b', content: 'y' },
    ]);
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 6 }), async (changes) => {
        const bytes = Buffer.from(valid);
        for (const [at, value] of changes) bytes[at % bytes.length] = value;
        await check(gzipSync(bytes));
      }),
      { numRuns: histories(200), seed: 1 },
    );
  });

  it('are refused or read within the limits, without any form', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 3_000 }), async (bytes) => {
        await check(Buffer.from(bytes));
        await check(gzipSync(bytes));
      }),
      { numRuns: histories(200), seed: 1 },
    );
  });
});
