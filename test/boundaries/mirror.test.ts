import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

/** Suites for the whole product, and test helpers. All other folders mirror a source folder. */
const acrossModules = [
  ...[
    'bench',
    'boundaries',
    'capacity',
    'contract',
    'docs',
    'proof',
    'support',
    'types',
    'upgrade',
    'words',
  ],
  // Assertions on the synthesised template, and files that tests read.
  ...[
    'infra/properties',
    'infra/fixtures',
    'ecosystems/lockfiles/files',
    'scanners/formats/reports',
  ],
];

/** Modules of the stack and of its clients. Every other folder of `test` mirrors one in `shared`. */
const topLevel = ['cli', 'console', 'infra', 'web'];

const listFolders = (folder: string): string[] =>
  readdirSync(join('test', folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(folder, name))
    .filter((path) => !acrossModules.includes(path))
    .flatMap((path) => [path, ...listFolders(path)]);

const toSource = (folder: string): string =>
  topLevel.includes(folder.split('/', 1)[0] ?? '') ? folder : join('shared', folder);

it('names each test folder after its source folder', () => {
  const strays = listFolders('').filter((folder) => !existsSync(toSource(folder)));

  expect(strays).toEqual([]);
});
