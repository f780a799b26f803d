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
