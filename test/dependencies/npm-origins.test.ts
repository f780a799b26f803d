import { describe, expect, it } from 'vitest';
import { listUnpinned, read } from './example.ts';

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
