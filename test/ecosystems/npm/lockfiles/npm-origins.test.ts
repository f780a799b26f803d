import { describe, expect, it } from 'vitest';
import { parseFileHash } from '../../../../shared/domain/packages/file-hash.ts';
import { listUnpinned, read } from '../../lockfiles/example.ts';

const lockOf = (packages: object) =>
  read('package-lock.json', JSON.stringify({ name: 'shop', lockfileVersion: 3, packages }));

describe('where a package of npm was got', () => {
  it.each([
    'https://registry.example.com/lodash/-/lodash-4.17.21.tgz',
    'https://mirror.example.com/api/npm/all/lodash/-/lodash-4.17.21.tgz?token=1',
    'https://mirror.example.com/download/lodash/4.17.21/0a1b2c',
    undefined,
  ])('does not matter for what it is called: %s', (resolved) => {
    const file = lockOf({ 'node_modules/lodash': { version: '4.17.21', resolved } });

    expect(file.dependencies).toMatchObject([{ name: 'lodash', version: '4.17.21' }]);
  });

  it.each([
    ['https://registry.example.com/evil/-/evil-4.17.21.tgz', 'url'],
    ['https://registry.example.com/lodash/-/lodash-4.17.20.tgz', 'url'],
    ['https://registry.example.com/@evil/lodash/-/lodash-4.17.20.tgz', 'url'],
    ['https://registry.example.com/evil/lodash/-/evil-lodash-4.17.21.tgz', 'url'],
    ['https://files.example.com/lodash-4.17.21.tgz', 'url'],
    ['git+ssh://git@git.example.com/lodash.git#0a1b2c', 'git'],
    ['file:lodash-4.17.21.tgz', 'file'],
    ['ftp://files.example.com/lodash/-/lodash-4.17.21.tgz', 'url'],
    ['evil-4.17.21.tgz', 'file'],
  ])('matters where that is no registry, or another package: %s', (resolved, reason) => {
    const file = lockOf({ 'node_modules/lodash': { version: '4.17.21', resolved } });

    expect(file.dependencies).toEqual([]);
    expect(file.unpinned).toMatchObject([{ reason, detail: resolved }]);
  });

  it('is an address of its own where the project asks for that', () => {
    const resolved = 'https://registry.example.com/lodash/-/lodash-4.17.21.tgz';
    const file = lockOf({
      '': { name: 'shop', dependencies: { lodash: resolved } },
      'node_modules/lodash': { version: '4.17.21', resolved },
    });

    expect(listUnpinned(file)).toEqual(['url lodash@4.17.21']);
  });

  it.each([
    ['yarn.lock', 'lodash@^4:\n  version "4.17.21"\n  resolved "URL#0a1b"\n'],
    [
      'yarn.lock',
      '__metadata:\n  version: 8\n"lodash@npm:^4":\n  version: 4.17.21\n  resolution: "lodash@npm:4.17.21::__archiveUrl=ESCAPED"\n',
    ],
    [
      'pnpm-lock.yaml',
      "lockfileVersion: '9.0'\npackages:\n  lodash@4.17.21:\n    resolution: {tarball: URL}\n",
    ],
    [
      'bun.lock',
      '{"lockfileVersion": 1, "packages": {"lodash": ["lodash@4.17.21", "URL", {}, ""]}}',
    ],
  ])('is judged in %s, too', (path, text) => {
    const readFrom = (url: string) =>
      read(path, text.replace('URL', url).replace('ESCAPED', encodeURIComponent(url)));
    const own = readFrom('https://mirror.example.com/lodash/-/lodash-4.17.21.tgz');
    const other = readFrom('https://mirror.example.com/evil/-/evil-4.17.21.tgz');

    expect(own).toMatchObject({ dependencies: [{ name: 'lodash' }], unpinned: [] });
    expect(other).toMatchObject({ dependencies: [], unpinned: [{ reason: 'url' }] });
  });
});

it.each([
  ['lodash/-/lodash-4.17.21.tgz', []],
  ['/lodash/-/lodash-4.17.21.tgz', []],
  ['evil/-/evil-4.17.21.tgz', ['url lodash@4.17.21']],
])('reads addresses of pnpm without that of the registry: %s', (tarball, unpinned) => {
  const text = `lockfileVersion: 5.4\npackages:\n  /lodash/4.17.21:\n    resolution: {tarball: ${tarball}}\n`;

  expect(listUnpinned(read('pnpm-lock.yaml', text))).toEqual(unpinned);
});

it.each([
  ['lodash@^4', 'lodash-4.17.21.tgz', []],
  ['"@types/node@^4"', '@types-node-4.17.21.tgz', []],
  ['lodash@^4', 'evil-4.17.21.tgz', ['file lodash@4.17.21']],
])('reads names of files that Yarn keeps: of %s %s', (pattern, file, unpinned) => {
  const text = `${pattern}:\n  version "4.17.21"\n  resolved ${file}#0a1b\n`;

  expect(listUnpinned(read('yarn.lock', text))).toEqual(unpinned);
});

const sri = (byte: string): string => `sha512-${btoa(byte.repeat(64))}`;

describe('the content of a package of npm', () => {
  const url = 'https://mirror.example.com/lodash/-/lodash-4.17.21.tgz';
  const entry = { version: '4.17.21', resolved: url, integrity: `sha1-no ${sri('a')}` };

  it.each([
    [
      'package-lock.json',
      JSON.stringify({ lockfileVersion: 3, packages: { 'node_modules/lodash': entry } }),
    ],
    ['package-lock.json', JSON.stringify({ lockfileVersion: 1, dependencies: { lodash: entry } })],
    [
      'package-lock.json',
      JSON.stringify({ lockfileVersion: 1, packages: {}, dependencies: { lodash: entry } }),
    ],
    [
      'pnpm-lock.yaml',
      `lockfileVersion: '9.0'\npackages:\n  lodash@4.17.21:\n    resolution: {integrity: ${sri('a')}, tarball: ${url}}\n`,
    ],
    [
      'yarn.lock',
      `lodash@^4:\n  version "4.17.21"\n  resolved "${url}#zz"\n  integrity ${sri('a')}\n`,
    ],
    [
      'bun.lock',
      `{"lockfileVersion": 1, "packages": {"lodash": ["lodash@4.17.21", "${url}", {}, "${sri('a')}"]}}`,
    ],
    [
      'bom.json',
      JSON.stringify({
        ...{ bomFormat: 'CycloneDX', specVersion: '1.6' },
        components: [
          {
            ...{ type: 'library', name: 'lodash', purl: 'pkg:npm/lodash@4.17.21' },
            externalReferences: [
              {
                ...{ type: 'distribution', url },
                hashes: [{ alg: 'SHA-512', content: '61'.repeat(64) }],
              },
            ],
          },
        ],
      }),
    ],
    [
      'a.spdx.json',
      JSON.stringify({
        spdxVersion: 'SPDX-2.3',
        packages: [
          {
            ...{ name: 'lodash', SPDXID: 'a', downloadLocation: url },
            checksums: [{ algorithm: 'SHA512', checksumValue: '61'.repeat(64) }],
            externalRefs: [{ referenceType: 'purl', referenceLocator: 'pkg:npm/lodash@4.17.21' }],
          },
        ],
      }),
    ],
  ])('is told by %s with its address', (path, text) => {
    const { dependencies, unpinned } = read(path, text);

    expect(unpinned).toEqual([]);
    expect(dependencies).toMatchObject([{ name: 'lodash', addresses: [url] }]);
    expect(dependencies[0]?.hashes?.map(parseFileHash)).toEqual([
      { algorithm: 'sha512', hex: '61'.repeat(64) },
    ]);
  });

  it('of Yarn 1 is told by the SHA-1 in the address, too, and of Yarn 4 by no hash that anybody else knows', () => {
    const old = read(
      'yarn.lock',
      `a@^1:\n  version "1.0.0"\n  resolved "a-1.0.0.tgz#${'0a'.repeat(20)}"\n`,
    );
    const berry = read(
      'yarn.lock',
      `__metadata:\n  version: 8\n"a@npm:^1":\n  version: 1.0.0\n  resolution: "a@npm:1.0.0"\n  checksum: 10c0/${'0a'.repeat(64)}\n`,
    );

    expect(old.dependencies[0]).toMatchObject({ hashes: [`sha1:${'0a'.repeat(20)}`] });
    expect(old.dependencies[0]?.addresses).toBe(undefined);
    expect(berry.dependencies[0]?.hashes).toBe(undefined);
  });

  it('is that of all entries of a version', () => {
    const { dependencies } = lockOf({
      'node_modules/a': { version: '1.0.0', integrity: sri('a') },
      'node_modules/b/node_modules/a': { version: '1.0.0', integrity: sri('b') },
    });

    expect(dependencies).toMatchObject([{ name: 'a', hashes: [sri('a'), sri('b')] }]);
  });
});

describe('the two halves of a lockfile of npm, version 2', () => {
  const good = {
    version: '1.0.0',
    resolved: 'https://registry.example.com/a/-/a-1.0.0.tgz',
    integrity: sri('a'),
  };
  const bothOf = (dependencies: object) =>
    read(
      'package-lock.json',
      JSON.stringify({ lockfileVersion: 2, packages: { 'node_modules/a': good }, dependencies }),
    );

  it.each([
    ['the same', good],
    ['less', { version: '1.0.0' }],
  ])('may say %s', (_, entry) => {
    expect(bothOf({ a: entry })).toMatchObject({
      dependencies: [{ name: 'a', hashes: [sri('a')] }],
      unpinned: [],
    });
  });

  it.each([
    ['another version', { version: '2.0.0' }, ['a@1.0.0', 'a@2.0.0']],
    ['another package', { version: 'npm:b@1.0.0' }, ['a@1.0.0', 'b@1.0.0']],
    ['other content', { ...good, integrity: sri('b') }, ['a@1.0.0']],
    [
      'another host',
      { ...good, resolved: 'https://evil.example.com/a/-/a-1.0.0.tgz' },
      ['a@1.0.0'],
    ],
    ['a repository', { version: 'git+https://git.example.com/a.git#0a1b2c' }, ['a@1.0.0']],
  ])('contradict each other where one names %s', (_, entry, named) => {
    const { dependencies, unpinned } = bothOf({ a: entry });

    expect(dependencies.map(({ name, version }) => `${name}@${version}`)).toEqual(named);
    expect(unpinned).toMatchObject([{ reason: 'contradiction', detail: 'node_modules/a' }]);
  });

  it('are both read: what only one of them names counts', () => {
    const { dependencies } = bothOf({ a: good, b: { version: '1.0.0' } });

    expect(dependencies.map(({ name }) => name)).toEqual(['a', 'b']);
  });
});
