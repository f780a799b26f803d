import { expect, it } from 'vitest';
import { comparePep440, isPrerelease } from '../../../shared/ecosystems/pypi/pep440.ts';

/** From the oldest to the newest, as PEP 440 orders them ("Summary of permitted suffixes and relative ordering"). */
const ordered = [
  'no version',
  '0.9',
  '1.dev0',
  '1.0.dev456',
  '1.0a1.dev1',
  '1.0a1',
  '1.0a2.dev456',
  '1.0a12.dev456',
  '1.0a12',
  '1.0b1.dev456',
  '1.0b2',
  '1.0b2.post345.dev456',
  '1.0b2.post345',
  '1.0rc1.dev456',
  '1.0rc1',
  '1.0',
  '1.0.post456.dev34',
  '1.0.post456',
  '1.0.15',
  '1.1.dev1',
  '1.2',
  '1.10',
  '20240101000000001',
  '20240101000000002',
  '1!0.1',
];

it.each(ordered.map((version, at) => [version, at] as const))(
  '%s stands where it belongs',
  (version, at) => {
    const signs = ordered.map((other) => Math.sign(comparePep440(version, other)));

    expect(signs).toEqual(ordered.map((_, other) => Math.sign(at - other)));
  },
);

it.each([
  ['1.0', '1'],
  ['1.0', 'v1.0.0'],
  ['1.0-1', '1.post1'],
  ['1.0', '1.0+local.7'],
])('%s and %s are equally old', (one, other) => {
  expect(comparePep440(one, other)).toBe(0);
});

it.each([
  ['1.0', false],
  ['1.0.post1', false],
  ['1.0rc1', true],
  ['1.0.dev1', true],
  ['1.0-alpha', true],
])('%s is a prerelease: %s', (version, expected) => {
  expect(isPrerelease(version)).toBe(expected);
});
