import fc from 'fast-check';
import semver from 'semver';
import { expect, it } from 'vitest';
import { compareSemver, normalizeSemver } from '../../../shared/ecosystems/npm/semver-order.ts';

const numbers = fc.tuple(fc.nat({ max: 12 }), fc.nat({ max: 2 }), fc.nat({ max: 2 }));
const identifier = fc.constantFrom('0', '1', '2', '10', 'alpha', 'beta', 'rc-1', 'A', '-');
const prerelease = fc.array(identifier, { maxLength: 3 });
const version = fc
  .tuple(numbers, prerelease)
  .map(([core, pre]) => `${core.join('.')}${pre.length > 0 ? `-${pre.join('.')}` : ''}`);

it('compares versions as the package semver does', () => {
  fc.assert(
    fc.property(version, version, (one, other) => {
      expect(Math.sign(compareSemver(one, other))).toBe(semver.compare(one, other));
    }),
    { numRuns: 3000, seed: 1 },
  );
});

it.each([
  ['v1.2.3', '1.2.3'],
  ['=1.2.3', '1.2.3'],
  [' 1.2.3 ', '1.2.3'],
  ['1.2.3+build.5', '1.2.3'],
  ['1.2', '1.2.0'],
  ['1', '1.0.0'],
  ['01.02.00', '1.2.0'],
  ['1.0.0-rc.1+b', '1.0.0-rc.1'],
])('normalizes %o to %s', (text, expected) => {
  expect(normalizeSemver(text)).toBe(expected);
});

it.each(['', 'latest', '*', '1.x', '1.2.3.4', '1.2.3-', `1.0.${'9'.repeat(300)}`])(
  'has no normal form of %o',
  (text) => {
    expect(normalizeSemver(text)).toBeUndefined();
  },
);
