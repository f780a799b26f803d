import { expect, it } from 'vitest';
import { listNpmDependencies } from '../../../../shared/ecosystems/npm/manifest/dependencies.ts';

const list = (version: Readonly<Record<string, unknown>>) =>
  listNpmDependencies(version).map(({ name, range }) => `${name} ${range}`);

it.each([
  ['^1.2.0', '1.9.0', true],
  ['^1.2.0', '2.0.0', false],
  ['^1.2.0', '1.1.9', false],
  ['~1.2', '1.2.9', true],
  ['1.2.3 || >=3', '3.1.0', true],
  ['1.0.0 - 2.0.0', '2.0.1', false],
  ['>=1.0.0', '2.0.0-beta.1', false],
  ['>=2.0.0-alpha', '2.0.0-beta.1', true],
  ['*', '2.0.0-beta.1', true],
  ['', '0.0.1', true],
  ['latest', '0.0.1', true],
  ['next-11', '0.0.1', true],
  ['npm:other@^1.2.0', '1.9.0', true],
  ['npm:@scope/other@^1.2.0', '2.0.0', false],
  ['npm:other', '0.0.1', true],
])('%s accepts %s: %s', (range, version, expected) => {
  const [dependency] = listNpmDependencies({ dependencies: { name: range } });

  expect(dependency?.accepts(version)).toBe(expected);
});

it.each([
  'git+https://example.com/a.git',
  'git@github.com:owner/name.git',
  'github:owner/name',
  'owner/name#semver:^1',
  'https://example.com/a.tgz',
  'file:../a',
  '../a',
  'a.tgz',
  'workspace:^',
  'catalog:',
  '>= one',
  `>=${'1'.repeat(300)}`,
  7,
  null,
])('skips the specifier %s, which names no version of a registry', (spec) => {
  expect(list({ dependencies: { name: spec } })).toEqual([]);
});

it('lists an alias by its real name, and skips invalid names', () => {
  const dependencies = { mine: 'npm:@scope/other@^1.0.0', ' no': '^1.0.0', plain: '^2.0.0' };

  expect(list({ dependencies })).toEqual(['@scope/other ^1.0.0', 'plain ^2.0.0']);
});

it('lists neither bundled, optional, peer nor development dependencies', () => {
  const version = {
    dependencies: { needed: '1', bundled: '1', optional: '1' },
    optionalDependencies: { optional: '1', other: '1' },
    peerDependencies: { peer: '1' },
    devDependencies: { dev: '1' },
    bundleDependencies: ['bundled'],
  };

  expect(list(version)).toEqual(['needed 1']);
  expect(list({ ...version, bundleDependencies: true })).toEqual([]);
  expect(list({ dependencies: 'none' })).toEqual([]);
});

it('lists at most 1,000 dependencies', () => {
  const many = Array.from({ length: 2000 }, (_, at) => [`d${at}`, '1']);

  expect(list({ dependencies: Object.fromEntries(many) })).toHaveLength(1000);
});
