import fc from 'fast-check';
import semver from 'semver';
import { describe, expect, it } from 'vitest';
import { matchRecord } from '../../../shared/domain/recalls/match-record.ts';
import type { Ecosystem } from '../../../shared/ecosystems/ecosystem.ts';
import { range, record, records } from './records.ts';

const matchIn = (
  ecosystem: Ecosystem,
  affected: Parameters<typeof record>[2],
  version: string,
): string | undefined => {
  const name = ecosystem === 'maven' ? 'g:a' : 'a';
  return matchRecord(record('MAL-1', [ecosystem, name], affected), { ecosystem, name, version });
};

describe('a record of a real attack or error', () => {
  it.each([
    ['axios', 'axios', '1.14.1', 'exact'],
    ['axios', 'axios', '1.14.0', undefined],
    ['axios', 'axios-retry', '1.14.1', undefined],
    ['telnyx', 'Telnyx', '4.87.1', 'exact'],
    ['telnyx', 'telnyx', '4.87.1.0', 'exact'],
    ['telnyx', 'telnyx', '4.87.10', undefined],
    ['posthog', 'org.mvnpm:posthog-node', '4.18.1', 'exact'],
    ['posthog', 'org.mvnpm:posthog-node', '4.18.0', undefined],
    ['tinycolor', '@ctrl/tinycolor', '4.1.1', 'range'],
    ['tinycolor', '@ctrl/tinycolor', '4.1.2', 'range'],
    ['tinycolor', '@ctrl/tinycolor', '4.1.0', 'leftover'],
    ['postmark', 'postmark-mcp', '1.0.15', undefined],
    ['postmark', 'postmark-mcp', '1.0.16', 'range'],
    ['postmark', 'postmark-mcp', '2.0.0', 'range'],
    ['scribejava', 'io.github.leetcrunch:scribejava-core', '8.3.3', 'bare'],
    ['supabase', 'supabase', '2.104.0', 'bare'],
    ['mistral', '@mistralai/mistralai', '2.2.3', 'exact'],
    ['mistral', '@mistralai/mistralai', '2.2.1', 'leftover'],
    ['solana', '@solana/web3.js', '1.95.8', 'bare'],
    ['emilgroup', '@emilgroup/auth-sdk-node', '1.21.2', 'exact'],
    ['emilgroup', '@emilgroup/auth-sdk-node', '1.22.0', undefined],
    ['prettier', 'eslint-config-prettier', '9.1.1', 'exact'],
    ['prettier', 'eslint-config-prettier', '9.1.0', undefined],
    ['react', 'react', '1.0.0', undefined],
  ] as const)('%s names %s %s: %s', (key, name, version, expected) => {
    const ecosystem = records[key].affected[0]?.ecosystem ?? 'npm';

    expect(matchRecord(records[key], { ecosystem, name, version })).toBe(expected);
  });

  it('names no package of another ecosystem', () => {
    const id = { ecosystem: 'pypi', name: 'axios', version: '1.14.1' } as const;

    expect(matchRecord(records.axios, id)).toBeUndefined();
  });
});

describe('spellings', () => {
  it.each([
    ['npm', 'v1.0.0', '1.0.0', 'exact'],
    ['npm', '1.0.0+build.1', '1.0.0', 'exact'],
    ['npm', '1.0', '1.0.0', 'exact'],
    ['npm', '1.0.0-rc.1', '1.0.0', undefined],
    ['pypi', '1.0', '1.0.0', 'exact'],
    ['pypi', '1.0.0', '1.0', 'exact'],
    ['pypi', 'v1.0-Beta2', '1.0b2', 'exact'],
    ['pypi', '1.0+local', '1.0', undefined],
    ['maven', '1.0', '1.0', 'exact'],
    ['maven', '1.0', '1.0.0', undefined],
    ['docker', '1.0', '1.0', 'exact'],
  ] as const)('of %s: %s and %s', (ecosystem, written, version, expected) => {
    expect(matchIn(ecosystem, { versions: [written] }, version)).toBe(expected);
  });
});

describe('ranges', () => {
  it.each([
    ['npm', range('1.0.0', { fixed: '1.10.0' }), '1.9.0', 'range'],
    ['npm', range('1.0.0', { fixed: '1.10.0' }), '1.10.0', undefined],
    ['npm', range('1.0.0', { fixed: '1.10.0' }), '1.10.0-rc.1', 'range'],
    ['npm', range('1.0.0', { last_affected: '1.10.0' }), '1.10.0', 'range'],
    ['npm', range('0', { fixed: 'v2' }), '1.99.0', 'range'],
    ['pypi', range('1.0', { fixed: '1.10' }), '1.9', 'range'],
    ['pypi', range('1.0', { last_affected: '2' }), '2.0.0', 'range'],
    ['pypi', range('1.0'), '1.0.dev1', undefined],
    ['pypi', range('1.0'), '1!0.1', 'range'],
    ['maven', range('1.0', { fixed: '1.10' }), '1.9', 'range'],
    ['maven', range('1.0', { fixed: '1.10' }), '1.10-SNAPSHOT', 'range'],
    ['maven', range('1.0', { fixed: '1.10' }), '1.10.0', undefined],
    ['docker', range('0'), '1.0', undefined],
  ] as const)('of %s: %o and %s', (ecosystem, one, version, expected) => {
    expect(matchIn(ecosystem, { ranges: [one] }, version)).toBe(expected);
  });

  it.each(['0', '0.0.0', 'v0', '0.0.0-0', ' 0 '])('that start at %o are bare', (introduced) => {
    expect(matchIn('npm', { ranges: [range(introduced)] }, '1.0.0')).toBe('bare');
  });

  it.each([
    [range('latest'), '1.0.0', 'bare'],
    [range('1.0.0', { fixed: 'next' }), '1.5.0', 'bare'],
    [range('1.0.0', { fixed: 'next' }), '0.9.0', undefined],
    [range('latest', { fixed: '2.0.0' }), '2.0.0', undefined],
  ])('with a bound that is no version: %o and %s', (one, version, expected) => {
    expect(matchIn('npm', { ranges: [one] }, version)).toBe(expected);
  });

  const version = fc
    .tuple(fc.nat({ max: 2 }), fc.nat({ max: 12 }), fc.constantFrom('', '-rc.2', '-rc.10'))
    .map(([minor, patch, pre]) => `1.${minor}.${patch}${pre}`);

  it('of npm contain the versions between their bounds', () => {
    fc.assert(
      fc.property(version, version, version, (introduced, fixed, tested) => {
        const isInside = semver.gte(tested, introduced) && semver.lt(tested, fixed);

        expect(matchIn('npm', { ranges: [range(introduced, { fixed })] }, tested)).toBe(
          isInside ? 'range' : undefined,
        );
      }),
      { numRuns: 1000, seed: 1 },
    );
  });
});

it('compares a thousand versions with a list of fifty thousand', () => {
  const versions = Array.from({ length: 50_000 }, (_, at) => `1.0.${at}`);
  const long = record('MAL-1', ['npm', 'a'], { versions });

  const matches = Array.from({ length: 1000 }, (_, at) =>
    matchRecord(long, { ecosystem: 'npm', name: 'a', version: `2.0.${at}` }),
  );

  expect(new Set(matches)).toEqual(new Set([undefined]));
});
