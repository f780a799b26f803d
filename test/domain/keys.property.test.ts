import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ecosystems } from '../../shared/domain/ecosystem.ts';
import { canonicalizeName, foldName, isPackageName } from '../../shared/domain/package-name.ts';
import {
  canonicalizeVersion,
  foldVersion,
  isPackageVersion,
} from '../../shared/domain/package-version.ts';

const ecosystem = fc.constantFrom(...ecosystems);
const namePart = fc.stringMatching(/^[a-zA-Z0-9]([a-zA-Z0-9._-]{0,8}[a-zA-Z0-9])?$/);
const name = fc.oneof(
  namePart,
  namePart.map((part) => `docker.io/library/${part}`),
  fc.tuple(namePart, namePart).map(([scope, part]) => `@${scope}/${part}`),
  fc.tuple(namePart, namePart).map(([group, part]) => `${group}:${part}`),
);
const version = fc.stringMatching(
  /^v?[0-9]{1,2}(\.[0-9]{1,2}){0,2}([-._]?(a|b|rc|alpha|post|dev)[-._]?[0-9]?)?(\+[a-z0-9]{1,3})?$/,
);

it('never separates names that are equal in an ecosystem', () => {
  fc.assert(
    fc.property(ecosystem, name, (of, written) => {
      fc.pre(isPackageName(of, written));

      expect(foldName(canonicalizeName(of, written))).toBe(foldName(written));
    }),
    { numRuns: 2000, seed: 1 },
  );
});

it('never separates versions that are equal in an ecosystem', () => {
  fc.assert(
    fc.property(ecosystem, version, (of, written) => {
      fc.pre(isPackageVersion(of, written));

      expect(foldVersion(canonicalizeVersion(of, written))).toBe(foldVersion(written));
    }),
    { numRuns: 2000, seed: 1 },
  );
});

it('leaves a valid name as it is when it is decoded once more', () => {
  fc.assert(
    fc.property(ecosystem, name, (of, written) => {
      fc.pre(isPackageName(of, written));

      expect(decodeURIComponent(written)).toBe(written);
    }),
    { numRuns: 2000, seed: 1 },
  );
});
