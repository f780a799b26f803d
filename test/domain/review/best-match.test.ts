import { describe, expect, it } from 'vitest';
import { noFacts } from '../../../shared/domain/facts/facts.ts';
import type { KnownVersions } from '../../../shared/domain/packages/release-list.ts';
import { findBestMatch } from '../../../shared/domain/review/best-match.ts';
import { mapRegistryDependencies } from '../../../shared/ecosystems/compared-dependencies.ts';
import { listDeclaredDependencies } from '../../../shared/ecosystems/declared-dependencies.ts';

const settledBefore = '2026-03-01T00:00:00.000Z';
const old = '2026-02-01T00:00:00.000Z';
const young = '2026-03-02T00:00:00.000Z';

type Listed = readonly [version: string, published_at: string | null, isWithdrawn?: boolean];

const inNpm = (range: string) =>
  listDeclaredDependencies({ kind: 'npm', version: { dependencies: { a: range } } });

const inPypi = (range: string) =>
  listDeclaredDependencies({ kind: 'pypi', files: [], requirements: [`a ${range}`] });

const inMaven = (range: string) => [
  ...mapRegistryDependencies({
    facts: { ...noFacts, found: 'unknown', reason: null },
    manifest: { kind: 'maven', files: [], parents: [], boms: [] },
    details: { described: true, dependencies: [{ name: 'org.example:a', range }] },
  }).values(),
];

const dependencies = { npm: inNpm, pypi: inPypi, maven: inMaven };

const find = (
  ecosystem: keyof typeof dependencies,
  range: string,
  listed: readonly Listed[],
  known: KnownVersions = new Map(),
) => {
  const [dependency] = dependencies[ecosystem](range);
  if (!dependency) throw new Error(`${range} is no range`);
  const releases = listed.map(([version, published_at, isWithdrawn = false]) => ({
    ...{ version, published_at, isWithdrawn },
  }));
  return findBestMatch(ecosystem, dependency, { releases, known, settledBefore });
};

describe('the best match of a range', () => {
  it('is the highest settled release in it', () => {
    const listed = [
      ['1.9.0', old],
      ['1.10.0', old],
      ['1.11.0', young],
      ['2.0.0', old],
    ] as const;

    expect(find('npm', '^1.2.0', listed)).toBe('1.10.0');
    expect(find('npm', '', listed)).toBe('2.0.0');
    expect(find('pypi', '>=1.2,<2', listed)).toBe('1.10.0');
  });

  it('is the highest release in it if none is settled', () => {
    const listed = [
      ['1.9.0', young],
      ['1.11.0', null],
      ['1.10.0', young],
      ['2.0.0', old],
    ] as const;

    expect(find('npm', '^1.2.0', listed)).toBe('1.11.0');
    expect(find('pypi', '~=1.2', listed)).toBe('1.11.0');
  });

  it('is neither withdrawn nor rejected', () => {
    const listed = [
      ['1.3.0', old, true],
      ['1.2.0+linux', old],
      ['1.1.0', old],
    ] as const;

    expect(find('npm', '^1.0.0', listed, new Map([['1.2.0', 'rejected']]))).toBe('1.1.0');
    expect(find('npm', '1.3.0', listed)).toBeUndefined();
  });

  it('is a pre-release only without another release in the range', () => {
    expect(
      find('pypi', '>=1', [
        ['2.0rc1', old],
        ['1.0', young],
      ]),
    ).toBe('1.0');
    expect(
      find('pypi', '>=1', [
        ['2.0rc1', old],
        ['0.9', old],
      ]),
    ).toBe('2.0rc1');
    expect(
      find('npm', '^1.0.0-rc.1', [
        ['1.0.0-rc.2', old],
        ['1.0.0-rc.10', old],
      ]),
    ).toBe('1.0.0-rc.10');
    expect(find('npm', '^1.0.0', [['1.0.1-rc.2', old]])).toBeUndefined();
  });

  it('is the very version that a Maven dependency names', () => {
    const listed = [
      ['1.0', old],
      ['1.0.0', young],
      ['1.1-beta-1', old],
    ] as const;

    expect(find('maven', '1.0.0', listed)).toBe('1.0.0');
    expect(find('maven', '1.1-beta-1', listed)).toBe('1.1-beta-1');
    expect(find('maven', '1.2', listed)).toBeUndefined();
    expect(find('maven', '', listed)).toBeUndefined();
  });

  it('is missing if no release is in the range', () => {
    expect(find('npm', '^3.0.0', [['2.0.0', old]])).toBeUndefined();
    expect(find('npm', '^3.0.0', [])).toBeUndefined();
  });
});
