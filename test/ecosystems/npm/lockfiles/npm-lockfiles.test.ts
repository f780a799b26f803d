import { describe, expect, it } from 'vitest';
import {
  exampleText,
  listDependencies,
  listUnpinned,
  read,
  readExample,
} from '../../lockfiles/example.ts';

const members = ['shop', '@shop/core', '@shop/web'];
/** pnpm knows names of those alone that others ask for. */
const importers = ['.', '@shop/core', 'packages/web'];

const inEach = [
  '@types/ms@2.1.0',
  'debug@4.4.1',
  'left-pad@1.3.0',
  'ms@2.0.0',
  'ms@2.1.3 < debug@4.4.1',
];
const ofMembers = ['once@1.4.0', 'use-sync-external-store@1.5.0'];
const ofOnePlatform = ['fsevents@2.3.3'];
const ofPeers = ['react@19.3.1 < use-sync-external-store@1.5.0'];

const commit = 'abdb3f552b368cbc402965833bf17a19ead61feb';
const gitUrl = `git+https://git.example.com/tool.git#${commit}`;
const gitKey = `git.example.com/tool/${commit}`;
const tarball = 'https://files.example.com/bundler-1.0.0.tgz';

/** What pulled in the package that is bundled, the one of the folder, and the one of the repository. */
const pulledIn = (bundler?: string, local?: string, tool = 'once@1.4.0'): string[] => [
  ...(bundler ? [`ms@2.1.2 < ${bundler}`] : []),
  ...(local ? [`inherits@2.0.4 < ${local}`] : []),
  `wrappy@1.0.2 < ${tool}`,
];

interface Expected {
  readonly dependencies: readonly (readonly string[])[];
  readonly unpinned: readonly string[];
  readonly own: readonly string[];
}

const modernNpm: Expected = {
  dependencies: [
    ...[inEach, ofMembers, ofOnePlatform, ofPeers],
    pulledIn('bundler@1.0.0', 'local@0.1.0', 'tool@1.0.0'),
  ],
  unpinned: ['file local@file:./local', 'git tool@1.0.0', 'url bundler@1.0.0'],
  own: members,
};

const pnpm9: Expected = {
  dependencies: [
    ...[inEach, ofMembers, ofOnePlatform, ofPeers],
    pulledIn(undefined, 'local@file:local', 'tool@1.0.0'),
  ],
  unpinned: ['file local@file:local', 'git tool@1.0.0', 'no_version ms', 'url bundler@1.0.0'],
  own: importers,
};

const berry: Expected = {
  dependencies: [inEach, ofMembers, pulledIn('bundler@1.0.0', 'local@0.1.0')],
  unpinned: ['file local@0.1.0', 'git tool@1.0.0', 'url bundler@1.0.0'],
  own: members,
};

const expected: Readonly<Record<string, Expected>> = {
  'npm-6/package-lock.json': {
    dependencies: [
      ...[inEach, ofOnePlatform],
      pulledIn(`bundler@${tarball}`, 'local@file:local', `tool@${gitUrl}`),
    ],
    unpinned: ['file local@file:local', `git tool@${gitUrl}`, `url bundler@${tarball}`],
    own: ['shop'],
  },
  'npm-8/package-lock.json': modernNpm,
  'npm-10/package-lock.json': modernNpm,
  'npm-12/package-lock.json': modernNpm,
  'pnpm-5/pnpm-lock.yaml': {
    dependencies: [inEach, ofMembers, ofOnePlatform, pulledIn()],
    unpinned: ['file local@link:local', 'no_version ms', 'url bundler@1.0.0'],
    own: importers,
  },
  'pnpm-6/pnpm-lock.yaml': {
    dependencies: [inEach, ofMembers, ofOnePlatform, pulledIn(undefined, undefined, gitKey)],
    unpinned: ['file local@link:local', `git ${gitKey}`, 'no_version ms', 'url bundler@1.0.0'],
    own: importers,
  },
  'pnpm-7/pnpm-lock.yaml': {
    dependencies: [inEach, ofMembers, ofOnePlatform, pulledIn(undefined, 'local@0.1.0', gitKey)],
    unpinned: ['file local@0.1.0', `git ${gitKey}`, 'no_version ms', 'url bundler@1.0.0'],
    own: importers,
  },
  'pnpm-8/pnpm-lock.yaml': {
    dependencies: [inEach, ofMembers, ofOnePlatform, ofPeers, pulledIn(undefined, 'local')],
    unpinned: ['file local', 'no_version ms', 'url bundler@1.0.0'],
    own: importers,
  },
  'pnpm-9/pnpm-lock.yaml': pnpm9,
  'pnpm-12/pnpm-lock.yaml': pnpm9,
  'yarn-1/yarn.lock': {
    ...berry,
    dependencies: [...berry.dependencies, ofOnePlatform],
    own: [],
  },
  'yarn-2/yarn.lock': berry,
  'yarn-3/yarn.lock': berry,
  'yarn-4/yarn.lock': { ...berry, dependencies: [...berry.dependencies, ['typescript@5.4.5']] },
  'bun-1.4/bun.lock': {
    dependencies: [
      ...[inEach, ofMembers, ofOnePlatform, ofPeers],
      pulledIn(`bundler@${tarball}`, 'local@file:local', `tool@${gitUrl}`),
    ],
    unpinned: ['file local@file:local', `git tool@${gitUrl}`, `url bundler@${tarball}`],
    own: members,
  },
};

describe.each(Object.entries(expected))('%s', (path, { dependencies, unpinned, own }) => {
  it('is read to the last package, by its real name, with what pulled it in', () => {
    expect(listDependencies(readExample(path))).toEqual(dependencies.flat().toSorted());
  });

  it('has what comes from elsewhere named, and its own packages told apart', () => {
    const file = readExample(path);

    expect(listUnpinned(file)).toEqual(unpinned);
    expect(file.own.toSorted()).toEqual(own.toSorted());
  });

  it('says in which line each package is', () => {
    const { dependencies, unpinned } = readExample(path);

    expect([...dependencies, ...unpinned].filter(({ line }) => line === undefined)).toEqual([]);
  });
});

it.each([
  ['npm-6/package-lock.json', 'left-pad', '"padding": {'],
  ['npm-12/package-lock.json', 'left-pad', '"node_modules/padding": {'],
  ['pnpm-7/pnpm-lock.yaml', 'left-pad', '/left-pad/1.3.0:'],
  ['pnpm-9/pnpm-lock.yaml', 'left-pad', 'left-pad@1.3.0:'],
  ['yarn-1/yarn.lock', 'left-pad', '"padding@npm:left-pad@1.3.0":'],
  ['yarn-4/yarn.lock', 'left-pad', '"padding@npm:left-pad@1.3.0":'],
  ['bun-1.4/bun.lock', 'left-pad', '"padding": ["left-pad@1.3.0"'],
])('points in %s at the line of %s', (path, name, content) => {
  const { line = 0 } = readExample(path).dependencies.find((one) => one.name === name) ?? {};

  expect(exampleText(path).split('\n')[line - 1]?.trim()).toContain(content);
});

it('tells the license that the lockfile states', () => {
  const { dependencies } = readExample('npm-12/package-lock.json');

  expect(dependencies.find(({ name }) => name === 'left-pad')?.license).toBe('WTFPL');
});

describe('a lockfile of pnpm with empty values', () => {
  const head = "lockfileVersion: '9.0'\n";
  const importers =
    'importers:\n  .:\n    dependencies:\n      a: { specifier: 1, version: 1.0.0 }\n';

  it.each([
    ['packages: a@1.0.0 in line 3', `${head}packages:\n  a@1.0.0:\n`],
    ['snapshots: a@1.0.0', `${head}packages:\n  a@1.0.0: {}\nsnapshots:\n  a@1.0.0: ~\n`],
    ['importers: .', `${head}importers:\n  .:\n`],
    ['asks for a, and packages', `${head}${importers}packages:\n`],
    ['asks for a, and packages', `${head}${importers}`],
  ])('is refused: %s is empty', (fault, text) => {
    expect(() => read('pnpm-lock.yaml', text)).toThrow(fault);
  });

  it('is read where it asks for nothing', () => {
    expect(read('pnpm-lock.yaml', `${head}importers:\n  .: {}\n`).dependencies).toEqual([]);
  });
});
