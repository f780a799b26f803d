import { describe, expect, it } from 'vitest';
import {
  canonicalizeVersion,
  foldVersion,
  isPackageVersion,
} from '../../../shared/domain/packages/package-version.ts';
import type { Ecosystem } from '../../../shared/ecosystems/ecosystem.ts';

describe('isPackageVersion', () => {
  it.each<[Ecosystem, string]>([
    ['pypi', '2.31.0'],
    ['pypi', 'v1!2.0.post1.dev3+Ubuntu-1'],
    ['pypi', '1.0-alpha.1'],
    ['npm', '1.0.0-beta.2+build.5'],
    ['npm', `1.0.0-${'a'.repeat(250)}`],
    ['maven', '2.14.1'],
    ['maven', '1.0-SNAPSHOT'],
    ['maven', "31.1-jre'x;"],
    ['docker', '1.27-alpine'],
    ['docker', '_x'],
    ['docker', `sha256:${'0a'.repeat(32)}`],
  ])('allows the %s version %s', (ecosystem, version) => {
    expect(isPackageVersion(ecosystem, version)).toBe(true);
  });

  it.each<[Ecosystem, string, string]>([
    ['pypi', 'latest', 'no PEP 440 version'],
    ['pypi', '1.0 ', 'a blank'],
    ['pypi', '1..0', 'two dots in a row'],
    ['npm', '1.0', 'two numbers'],
    ['npm', 'v1.0.0', 'a leading v'],
    ['npm', '01.0.0', 'a leading zero'],
    ['npm', '^1.0.0', 'a range'],
    ['npm', `1.0.0-${'a'.repeat(251)}`, 'over 256 characters'],
    ['maven', '[1.0,2.0)', 'a range'],
    ['maven', 'a/b', 'a slash'],
    ['maven', '1.0#x', 'a number sign'],
    ['docker', '-x', 'a leading hyphen'],
    ['docker', `sha256:${'0A'.repeat(32)}`, 'an upper-case digest'],
    ['docker', 'a'.repeat(129), 'over 128 characters'],
  ])('refuses the %s version %j: %s', (ecosystem, version) => {
    expect(isPackageVersion(ecosystem, version)).toBe(false);
  });
});

describe('canonicalVersion', () => {
  it.each<[Ecosystem, string, string]>([
    ['pypi', '1.0', '1'],
    ['pypi', 'V01.0.0-Alpha_01', '1a1'],
    ['pypi', '1.0c1', '1rc1'],
    ['pypi', '1.0-1', '1.post1'],
    ['pypi', '1.0.rev', '1.post0'],
    ['pypi', '1.0.dev', '1.dev0'],
    ['pypi', '0!1.2.0+Ubuntu-01.X', '1.2+ubuntu.1.x'],
    ['npm', '1.0.0+build', '1.0.0'],
    ['maven', '1.0+X', '1.0+X'],
    ['docker', 'v1.0', 'v1.0'],
  ])('spells the %s version %s as %s', (ecosystem, version, canonical) => {
    expect(canonicalizeVersion(ecosystem, version)).toBe(canonical);
  });

  it('tells apart numbers that a JavaScript number does not', () => {
    const one = canonicalizeVersion('pypi', '2024.9007199254740993');
    const other = canonicalizeVersion('pypi', '2024.9007199254740992');

    expect(one).not.toBe(other);
  });
});

describe('versionKey', () => {
  it.each([
    ['1.0', '1.0.0'],
    ['1.0.0+one', '1.0.0+two'],
    ['1.0RC1', '1.0-rc.1'],
  ])('is the same for %s and %s, which are equal in some ecosystem', (one, other) => {
    expect(foldVersion(one)).toBe(foldVersion(other));
  });
});
