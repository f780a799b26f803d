import { expect, it } from 'vitest';
import { type Facts, noFacts } from '../../../../shared/domain/facts/facts.ts';
import { makePackument } from '../../../../shared/ecosystems/npm/gate/approved-packument.ts';
import { makeProject } from '../../../../shared/ecosystems/pypi/gate/project.ts';

const facts = { ...noFacts, found: 'yes', reason: null } as const;
const dist = { tarball: 'https://origin.example.com/x', integrity: 'sha512-AAAA' };

const make = (
  versions: Readonly<Record<string, object>>,
  approved: Readonly<Record<string, readonly string[]>> = {},
  declared: Partial<Facts> = {},
) =>
  Object(
    makePackument(
      'lib',
      Object.entries(versions).map(([version, more]) => ({
        version,
        facts: { ...facts, ...declared },
        manifest: { kind: 'npm', version: { dist, ...more } } as const,
      })),
      { base: 'https://a', approved: new Map(Object.entries(approved)) },
    ),
  );

it.each([
  ['^1.0.0', ['1.2.0'], true],
  ['^1.0.0', ['1.2.0-beta.1'], false],
  ['^1.0.0', ['2.0.0'], false],
  ['*', ['2.0.0-beta.1'], true],
  ['latest', ['1.0.0'], true],
  ['latest', [], false],
  ['next', ['1.0.0'], false],
  ['npm:other@^1.0.0', ['1.0.0'], false],
  ['github:acme/native', ['1.0.0'], false],
  [`>=1.0.0${' || >=1.0.0'.repeat(50)}`, ['1.0.0'], false],
])(
  'an optional dependency on native@%s stays where %j is approved: %s',
  (range, approved, stays) => {
    const version = { optionalDependencies: { native: range }, dependencies: { native: range } };

    const { versions } = make({ '1.0.0': version }, { native: approved });

    const kept = stays ? { native: range } : {};
    expect(versions['1.0.0']).toMatchObject({ optionalDependencies: kept, dependencies: kept });
    expect(Object.keys(versions['1.0.0'].dependencies)).toEqual(Object.keys(kept));
  },
);

it.each([
  ['^1.0.0', ['1.2.0'], true],
  ['^1.0.0', ['2.0.0'], false],
  ['^18 || ^20.19', ['20.19.1'], true],
  ['*', [], false],
  [undefined, [], false],
  [undefined, ['3.0.0'], true],
])(
  'an optional peer with the range %s stays where %j is approved: %s',
  (range, approved, stays) => {
    const needed = { react: '^19.0.0' };
    const version = {
      peerDependencies: { ...needed, ...(range && { less: range }) },
      peerDependenciesMeta: { less: { optional: true }, react: { optional: false } },
    };

    const { versions } = make({ '1.0.0': version }, { less: approved });

    const { peerDependencies, peerDependenciesMeta } = versions['1.0.0'];
    expect(peerDependencies).toEqual({ ...needed, ...(stays && range && { less: range }) });
    expect(Object.keys(peerDependenciesMeta)).toEqual(stays ? ['less', 'react'] : ['react']);
  },
);

it('a packument without project addresses at upstream has none, not even empty ones', () => {
  const { homepage, repository, ...rest } = make({ '1.0.0': {} }, {}, { homepage: null });

  expect([homepage, repository]).toEqual([undefined, undefined]);
  expect(Object.keys(rest)).toEqual(['name', 'dist-tags', 'versions']);
});

it('a dependency stays where only an optional peer of its name is left out', () => {
  const version = {
    dependencies: { less: '^4.0.0' },
    peerDependencies: { less: '^4.0.0' },
    peerDependenciesMeta: { less: { optional: true } },
  };

  const { versions } = make({ '1.0.0': version });

  expect(versions['1.0.0']).toMatchObject({
    dependencies: { less: '^4.0.0' },
    peerDependencies: {},
  });
});

it.each<[Partial<Facts>, string | undefined]>([
  [
    { license_declaration: 'readable', license_statement: '(MIT OR GPL-3.0-only)' },
    '(MIT OR GPL-3.0-only)',
  ],
  [
    {
      license_declaration: 'readable',
      license_statement: 'MIT',
      licenses_declared: ['MIT', 'https://x'],
    },
    'MIT',
  ],
  [
    { license_declaration: 'unreadable', licenses_declared: ['SEE LICENSE IN LICENSE.md'] },
    'SEE LICENSE IN LICENSE.md',
  ],
  [{ license_declaration: 'unreadable', licenses_declared: ['MIT', '?'] }, 'MIT, ?'],
  [{ license_declaration: 'unreadable' }, undefined],
  [{ license_declaration: 'none' }, undefined],
  // It is the license of the package's newest version.
  [{ license_declaration: 'unknown', licenses_declared: ['MIT'] }, undefined],
])('a version whose origin says %j has the license %s', (declared, license) => {
  const { versions } = make({ '1.0.0': {} }, {}, declared);

  expect(versions['1.0.0'].license).toBe(license);
});

it.each([[{ integrity: 'junk' }], [{ integrity: 'md5-AAAA' }], [{ shasum: 'junk' }], [{}]])(
  'a version whose checksum is %j is not served: clients would check nothing',
  (other) => {
    expect(make({ '1.0.0': { dist: { tarball: dist.tarball, ...other } } })).toEqual({});
  },
);

it('a checksum in its old form is told in the new one', () => {
  const shasum = '0a'.repeat(20);

  const { versions } = make({ '1.0.0': { dist: { tarball: dist.tarball, shasum } } });

  const base64 = Buffer.from(shasum, 'hex').toString('base64');
  expect(versions['1.0.0'].dist).toMatchObject({ shasum, integrity: `sha1-${base64}` });
});

it('a version that is none to clients takes none of the others with it', () => {
  const { versions } = make({ '1.0.0': {}, '99999999999999999999.0.0': {} });

  expect(Object.keys(versions)).toEqual(['1.0.0']);
});

it('a version too large for an answer takes none of the others with it', () => {
  const { versions } = make({ '2.0.0': { funding: 'x'.repeat(8_000_000) }, '1.0.0': {} });

  expect(Object.keys(versions)).toEqual(['1.0.0']);
});

it('metadata without a checksum are left to the file itself, and files without one are not served', () => {
  const file = (filename: string, more: object) => ({
    ...{ filename, url: 'https://files.example.com/x', hashes: { sha256: 'aa' } },
    ...more,
  });
  const files = [
    file('a.whl', { 'core-metadata': true }),
    file('b.whl', { 'core-metadata': {} }),
    file('c.whl', { 'core-metadata': { sha256: 'bb', md5: 'cc' } }),
    file('d.whl', { hashes: { md5: 'dd' } }),
    file('../e.whl', {}),
  ];

  const project = makeProject(
    'lib',
    [{ version: '1.0', facts, manifest: { kind: 'pypi', files } }],
    'https://a',
  );

  expect(project.files.map((one) => [one.filename, one['core-metadata']])).toEqual([
    ['a.whl', undefined],
    ['b.whl', undefined],
    ['c.whl', { sha256: 'bb' }],
  ]);
});
