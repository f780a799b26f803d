import { expect, it } from 'vitest';
import { maxVersionFiles } from '../../../shared/domain/projects/project-limits.ts';
import { isProjectName, isRef } from '../../../shared/domain/projects/project-name.ts';
import { formatSnapshot, normalizeSnapshot } from '../../../shared/domain/projects/snapshot.ts';

const npm = { ecosystem: 'npm', name: 'lodash', version: '4.17.21' } as const;

it.each([
  [[true, false, null], true],
  [[true, null], true],
  [[false, null], null],
  [[false, undefined], null],
  [[false, false], false],
  [[null], null],
])('takes a version for direct if a file says so: %j', (all, expected) => {
  const [version] = normalizeSnapshot(all.map((direct) => ({ ...npm, direct })));

  expect(version?.direct).toBe(expected);
});

it('keeps the first files of a version, by name', () => {
  const files = Array.from({ length: 30 }, (_, at) => `${at}`.padStart(2, '0'));

  const [version] = normalizeSnapshot([
    { ...npm, files: files.toReversed() },
    { ...npm, files: ['00'] },
    { ...npm, files: null },
  ]);

  expect(version?.files).toEqual(files.slice(0, maxVersionFiles));
});

it('has one canonical JSON for every order of versions and files', () => {
  const one = { ...npm, direct: true, files: ['b', 'a'] };
  const other = { ...npm, version: '4.17.20', direct: false };

  const [first, second] = [
    [one, other],
    [other, { ...one, files: ['a', 'b'] }],
  ].map((listed) => formatSnapshot(normalizeSnapshot(listed)));

  expect(first).toBe(second);
  expect(normalizeSnapshot([]).length).toBe(0);
});

it.each([
  ['shop', true],
  ['acme/shop-2.x_y', true],
  ['9', true],
  ['a/b/c', true],
  ['', false],
  ['-shop', false],
  ['acme//shop', false],
  ['acme/', false],
  ['acme/.git', false],
  ['a b', false],
  ['a#b', false],
  ['é', false],
  ['a'.repeat(100), true],
  ['a'.repeat(101), false],
])('knows if %j can name a project', (text, expected) => {
  expect(isProjectName(text)).toBe(expected);
});

it.each([
  ['main', true],
  ['feature/ABC-1#2', true],
  ['renovate/npm-lodash-4.x', true],
  ['', false],
  ['a b', false],
  ['ü', false],
  ['a\n', false],
  ['a'.repeat(200), true],
  ['a'.repeat(201), false],
])('knows if %j can be a ref', (text, expected) => {
  expect(isRef(text)).toBe(expected);
});
