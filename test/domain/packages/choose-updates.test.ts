import { describe, expect, it } from 'vitest';
import { chooseUpdates, fixesAll } from '../../../shared/domain/packages/choose-updates.ts';
import { canonicalizeVersion } from '../../../shared/domain/packages/package-version.ts';
import type { Reach } from '../../../shared/domain/packages/reach.ts';
import type { UpstreamRelease } from '../../../shared/domain/packages/upstream-release.ts';
import type { Ecosystem } from '../../../shared/ecosystems/ecosystem.ts';

const settledBefore = '2026-03-01T00:00:00Z';
const old = '2026-02-01T00:00:00.000Z';
const young = '2026-03-02T00:00:00.000Z';

type Status = 'approved' | 'pending' | 'rejected';

/** A version, its publication, and whether it is withdrawn. */
type Listed = readonly [version: string, published_at: string | null, isWithdrawn?: boolean];

const toRelease = ([version, published_at, isWithdrawn = false]: Listed): UpstreamRelease => ({
  version,
  published_at,
  isWithdrawn,
});

interface Case {
  readonly ecosystem?: Ecosystem;
  readonly version?: string;
  readonly listed: readonly Listed[];
  readonly known?: Readonly<Record<string, Status>>;
  readonly reach?: Reach;
  readonly settled?: string | undefined;
}

/** Updates of an approved version. */
const choose = ({ ecosystem = 'npm', version = '1.0.0', reach = 'minor', ...given }: Case) => {
  const known = Object.entries({ [version]: 'approved' as const, ...given.known });
  return chooseUpdates(
    { ecosystem, version },
    {
      releases: given.listed.map(toRelease),
      known: new Map(
        known.map(([one, status]) => [canonicalizeVersion(ecosystem, one), status] as const),
      ),
      reach,
      settledBefore: 'settled' in given ? given.settled : settledBefore,
    },
  );
};

describe('updates of a version', () => {
  it('are the newest release, and the newest settled one', () => {
    const listed = [
      ['1.2.0', young],
      ['1.1.1', old],
      ['1.1.0', old],
      ['1.0.0', old],
    ] as const;

    expect(choose({ listed })).toEqual(['1.2.0', '1.1.1']);
    expect(choose({ listed: listed.toReversed() })).toEqual(['1.2.0', '1.1.1']);
  });

  it('include the patches of a minor version, for ranges such as ^0.9.1 and ~1.4.0', () => {
    const listed = [
      ['0.10.1', old],
      ['0.9.3', young],
      ['0.9.2', old],
      ['0.9.1', old],
    ] as const;
    const submit = (known?: Case['known'], reach?: Reach) =>
      choose({ version: '0.9.1', listed, ...(known && { known }), ...(reach && { reach }) });

    expect(submit()).toEqual(['0.10.1', '0.9.3', '0.9.2']);
    expect(submit({ '0.10.1': 'approved' })).toEqual(['0.9.3', '0.9.2']);
    expect(submit({ '0.10.1': 'approved', '0.9.2': 'approved' })).toEqual(['0.9.3']);
    expect(submit({ '0.10.1': 'approved', '0.9.3': 'approved' })).toEqual([]);
    expect(submit({}, 'patch')).toEqual(['0.9.3', '0.9.2']);
    expect(submit({}, 'major')).toEqual(submit());
  });

  it('are one release if the newest is settled, also at the very time', () => {
    expect(
      choose({
        listed: [
          ['1.10.0', old],
          ['1.9.0', old],
        ],
      }),
    ).toEqual(['1.10.0']);
    expect(choose({ listed: [['1.1.0', settledBefore]] })).toEqual(['1.1.0']);
    const listed = [
      ['1.1.0', '2026-03-01T00:00:00.001Z'],
      ['1.0.1', settledBefore],
    ] as const;
    expect(choose({ listed })).toEqual(['1.1.0', '1.0.1']);
  });

  it.each<[string, readonly Listed[]]>([
    ['withdrawn', [['1.2.0', old, true]]],
    [
      'pre-releases',
      [
        ['1.2.0-rc.1', old],
        ['1.3.0-canary.0', old],
      ],
    ],
    ['out of reach', [['2.0.0', old]]],
    [
      'below or equal',
      [
        ['1.0.0', old],
        ['0.9.0', old],
        ['1.0.0+linux', old],
      ],
    ],
    ['not there', []],
  ])('are none if all other releases are %s', (_, listed) => {
    expect(choose({ listed })).toEqual([]);
    expect(choose({ listed, settled: undefined })).toEqual([]);
  });

  it('skip a rejected release, in any spelling', () => {
    const known = { '1.2.0': 'rejected' } as const;

    expect(
      choose({
        listed: [
          ['1.2.0+linux', old],
          ['1.1.0', old],
        ],
        known,
      }),
    ).toEqual(['1.1.0']);
    expect(
      choose({
        ...{ ecosystem: 'pypi', version: '1.0', known: { '1.2': 'rejected' } },
        listed: [
          ['v1.2.0', old],
          ['1.1.0', old],
        ],
      }),
    ).toEqual(['1.1.0']);
  });

  it('do not repeat an approved or pending release', () => {
    const listed = [
      ['1.2', young],
      ['1.1', old],
    ] as const;
    const submit = (known: Case['known'] = {}) =>
      choose({ ecosystem: 'pypi', version: '1', listed, known });

    expect(submit({ '1.2.0': 'pending' })).toEqual(['1.1']);
    expect(submit({ '1.1.0': 'pending' })).toEqual(['1.2']);
    expect(submit({ '1.1.0': 'approved' })).toEqual(['1.2']);
    expect(submit({ '1.2.0': 'pending', '1.1.0': 'pending' })).toEqual([]);
    expect(submit({ '1.2.0': 'approved' })).toEqual([]);
  });

  it('take versions of equal order on Maven for one', () => {
    const listed = [['1.1.0', old]] as const;
    const given = { ecosystem: 'maven', version: '1.0', listed } as const;

    expect(choose({ ...given, known: { '1.1': 'pending' } })).toEqual([]);
    expect(choose({ ...given, known: { '1.1': 'approved' } })).toEqual([]);
  });

  it('ignore known versions out of reach', () => {
    const known = { '2.0.0': 'approved', '2.1.0': 'pending' } as const;

    expect(choose({ listed: [['1.1.0', old]], known })).toEqual(['1.1.0']);
    expect(choose({ listed: [['1.1.0', old]], known, reach: 'major' })).toEqual([]);
  });

  it('offer a settled release below a pending one that is not settled', () => {
    const known = { '1.3.0': 'pending' } as const;
    const listed = [
      ['1.3.0', young],
      ['1.2.0', young],
      ['1.1.0', old],
    ] as const;

    expect(choose({ listed, known })).toEqual(['1.1.0']);
  });

  it('take a release without a time for one that is not settled', () => {
    const listed = [
      ['1.2.0', null],
      ['1.1.0', old],
    ] as const;

    expect(choose({ listed })).toEqual(['1.2.0', '1.1.0']);
    expect(choose({ listed, settled: undefined })).toEqual(['1.2.0']);
    expect(choose({ listed, settled: 'soon' })).toEqual(['1.2.0']);
  });

  it('lead from a pre-release to its release', () => {
    const given = { version: '2.0.0-rc.1', listed: [['2.0.0', old]], reach: 'patch' } as const;

    expect(choose(given)).toEqual(['2.0.0']);
  });

  it('follow the epoch of PyPI for the reach of any number only', () => {
    const listed = [
      ['1!0.1', old],
      ['2024.2', old],
    ] as const;
    const given = { ecosystem: 'pypi', version: '2024.1', listed } as const;

    expect(choose(given)).toEqual(['2024.2']);
    expect(choose({ ...given, reach: 'major' })).toEqual(['1!0.1']);
  });

  it('keep the platform of a Maven build, and never lead to an old date', () => {
    const listed = [
      ['33.0-jre', old],
      ['33.0-android', old],
      ['20030203.000550', old],
    ] as const;
    const given = { ecosystem: 'maven', version: '32.0-android', listed, reach: 'major' } as const;

    expect(choose(given)).toEqual(['33.0-android']);
  });

  it('are none for images', () => {
    const listed = [['1.28', old]] as const;

    expect(choose({ ecosystem: 'docker', version: '1.27', listed, reach: 'major' })).toEqual([]);
  });

  it('read each of 100,000 releases a fixed number of times', () => {
    const countReads = (count: number): number => {
      let reads = 0;
      const releases = Array.from({ length: count }, (_, at) => ({
        get version() {
          reads += 1;
          return `1.${at % 100}.${at}`;
        },
        published_at: old,
        isWithdrawn: false,
      }));
      const known = new Map([['1.0.0', 'approved']] as const);
      const context = { releases, known, reach: 'minor', settledBefore } as const;
      const updates = chooseUpdates({ ecosystem: 'npm', version: '1.0.0' }, context);
      expect(updates[0]).toBe(`1.99.${count - 1}`);
      return reads / count;
    };

    expect(countReads(100_000)).toBeLessThan(10);
    expect(countReads(100_000)).toBeCloseTo(countReads(100), 0);
  });
});

describe('a version', () => {
  const isFixed = (ecosystem: Ecosystem, version: string, ...fixes: (readonly string[])[]) =>
    fixesAll(
      ecosystem,
      version,
      fixes.map((fixed_versions) => ({ fixed_versions })),
    );

  it.each<[Ecosystem, string, readonly string[]]>([
    ['npm', '4.17.21', ['4.17.21']],
    ['npm', '4.17.22', ['5.0.1', '4.17.21']],
    ['npm', '4.18.0', ['4.17.21', '5.0.1']],
    ['npm', '5.1.0', ['4.17.21', '5.0.1']],
    ['npm', '6.0.0', ['4.17.21', '5.0.1']],
    ['npm', '0.5.4', ['0.6.1', '0.5.3']],
    ['pypi', '4.1.14', ['3.2.23', '4.1.13', '4.2.8']],
    ['pypi', '1!1.0', ['2024.1']],
    ['maven', '2.12.7.1', ['2.12.7.1', '2.13.4']],
  ])('of %s, %s, has the fix of one of the branches in %j', (ecosystem, version, fixes) => {
    expect(isFixed(ecosystem, version, fixes)).toBe(true);
  });

  it.each<[Ecosystem, string, readonly string[]]>([
    ['npm', '4.17.20', ['4.17.21']],
    ['npm', '4.17.21-rc.1', ['4.17.21']],
    ['npm', '5.0.0', ['4.17.21', '5.0.1']],
    ['npm', '4.0.0', ['3.5.0', '5.0.1']],
    ['npm', '0.6.0', ['0.5.3', '0.6.1']],
    ['npm', '4.17.20', ['4.17.20', '4.17.21']],
    ['pypi', '4.2.3', ['3.2.23', '4.1.13', '4.2.8']],
    ['pypi', '2024.2', ['1!1.0']],
    ['npm', '5.0.0', ['4.17.21', 'next release']],
    ['npm', '5.0.0', []],
    ['docker', '2', ['1']],
  ])('of %s, %s, lacks the fix of %j', (ecosystem, version, fixes) => {
    expect(isFixed(ecosystem, version, fixes)).toBe(false);
  });

  it('fixes all of some vulnerabilities, of which there is at least one', () => {
    expect(isFixed('npm', '2.0.0', ['1.9.0'], ['2.0.0'])).toBe(true);
    expect(isFixed('npm', '2.0.0', ['1.9.0'], ['2.0.1'])).toBe(false);
    expect(isFixed('npm', '2.0.0')).toBe(false);
  });
});
