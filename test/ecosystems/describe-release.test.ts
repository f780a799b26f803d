import { describe, expect, it } from 'vitest';
import {
  compareReleases,
  type ReleaseChanges,
} from '../../shared/domain/changes/compare-releases.ts';
import { type ChangeField, changeFields } from '../../shared/domain/changes/release.ts';
import { type Facts, noFacts } from '../../shared/domain/facts/facts.ts';
import type { Manifest, PypiFile } from '../../shared/domain/facts/manifest.ts';
import { noOrigin, type Provenance } from '../../shared/domain/facts/provenance.ts';
import type { ReleaseDetails } from '../../shared/domain/facts/release-details.ts';
import { describeRelease } from '../../shared/ecosystems/describe-release.ts';

/** A version in the parts that the registry stores. `manifest` has members of its kind. */
interface Given {
  readonly facts?: Partial<Facts>;
  readonly manifest?: object;
  readonly details?: Partial<ReleaseDetails> | null;
  readonly provenance?: Provenance;
}

/** Verified provenance of a build by somebody, from a branch or tag. */
const builtBy = (name: string, ref: string): Provenance => ({
  ...{ status: 'verified', reason: null, signatures: null, ...noOrigin },
  source_repository: `https://code.example/${name}`,
  workflow: `https://code.example/${name}/publish.yml@${ref}`,
});

const facts: Facts = {
  ...noFacts,
  ...{ found: 'yes', reason: null, name_found: true, provenance: true },
  ...{ license: 'MIT', license_declaration: 'readable', license_statement: 'MIT' },
  ...{ repository: 'https://code.example/a', homepage: null, install_scripts: [] },
};

const file = (filename: string, fields: Partial<PypiFile> = {}): PypiFile => ({
  ...{ filename, url: `https://files.example/${filename}`, hashes: {}, size: 10 },
  ...fields,
});

/** A whole version of each ecosystem, of which every attribute is known that the registry can know. */
const whole = {
  npm: {
    facts,
    manifest: { version: { name: '@s/a', dist: { unpackedSize: 100, fileCount: 3 } } },
    details: {
      publisher: 'ann',
      trusted_publisher: null,
      maintainers: ['ann'],
      install_scripts: [],
    },
  },
  pypi: {
    facts: { ...facts, install_scripts: null },
    manifest: { files: [file('a-1.0-py3-none-any.whl')] },
    details: {},
  },
  maven: {
    facts: { ...facts, provenance: null },
    manifest: { files: [{ name: 'a-1.0.jar', checksums: {} }], parents: [], boms: [] },
    details: { dependencies: [], plugins: [] },
  },
  docker: {
    facts: { ...facts, license_declaration: 'unknown', license: null, repository: null },
    manifest: { digest: 'i', images: [{ platform: 'linux/amd64', digest: 'd', size: 5 }] },
    details: {
      ...{ entrypoint: null, command: '["a"]', user: '101' },
      labels: [{ name: 'team', text: 'x', digest: 'of x' }],
    },
  },
} satisfies Record<string, Required<Omit<Given, 'provenance'>>>;

/** The ecosystems with attributes of their own. */
type Compared = keyof typeof whole;
const compared = Object.keys(whole) as Compared[];

/** Attributes that no answer of an origin contains. */
const neverKnown: Readonly<Record<Compared, readonly ChangeField[]>> = {
  npm: [],
  pypi: [],
  maven: ['provenance'],
  docker: ['license'],
};

const toRelease = (ecosystem: Compared, given: Given) => {
  const { facts: some, manifest, details } = { ...whole[ecosystem], ...given };
  const { provenance = builtBy('ana', 'refs/heads/main') } = given;
  return describeRelease(ecosystem, {
    provenance,
    facts: { ...whole[ecosystem].facts, ...some } as Facts,
    manifest: { kind: ecosystem, ...whole[ecosystem].manifest, ...manifest } as Manifest,
    details: details ? { described: true, ...whole[ecosystem].details, ...details } : undefined,
  });
};

const compare = (ecosystem: Compared, before: Given, after: Given): ReleaseChanges =>
  compareReleases(toRelease(ecosystem, before), toRelease(ecosystem, after));

/** Returns changes as one line each, such as `dependencies + b: ^1`. */
const format = ({ changes }: ReleaseChanges): string[] =>
  changes.map(({ field, change, name, before, after }) => {
    const sign = { added: '+', removed: '-', changed: '~' }[change];
    const values = [before, after].filter((value) => value !== null).join(' > ');
    return `${field} ${sign} ${[name, values].filter(Boolean).join(': ')}`.trim();
  });

const npm = (version: object, dist: object = {}): Given => ({
  manifest: {
    version: { name: '@s/a', dist: { unpackedSize: 100, fileCount: 3, ...dist }, ...version },
  },
});
const script = (text: string, digest = text): Given => ({
  details: { install_scripts: [{ name: 'postinstall', text, digest }] },
});

const cases: [Compared, string, Given, Given, string[]][] = [
  [
    ...(['npm', 'dependencies'] as const),
    npm({ dependencies: { b: '^1', c: '1', gone: '2' } }),
    npm({ dependencies: { b: '^2', c: '1', 'plain-crypto-js': '^4.2.1' } }),
    [
      'dependencies + plain-crypto-js: ^4.2.1',
      'dependencies ~ b: ^1 > ^2',
      'dependencies - gone: 2',
    ],
  ],
  [
    ...(['npm', 'dependencies from any source, also optional and peer ones'] as const),
    npm({}),
    npm({
      dependencies: { git: 'git+ssh://git@code.example/x.git', alias: 'npm:real@1' },
      optionalDependencies: { fsevents: '2' },
      peerDependencies: { react: '*', vue: '*' },
      peerDependenciesMeta: { vue: { optional: true } },
      devDependencies: { vitest: '1' },
    }),
    [
      'dependencies + react: *',
      'dependencies + git: git+ssh://git@code.example/x.git',
      'dependencies + alias: npm:real@1',
      'dependencies + fsevents: 2',
    ],
  ],
  [
    'npm',
    'an added install script',
    {},
    script('node x.js'),
    ['install_scripts + postinstall: node x.js'],
  ],
  [
    ...(['npm', 'a changed install script'] as const),
    script('node x.js'),
    script('node y.js'),
    ['install_scripts ~ postinstall: node x.js > node y.js'],
  ],
  [
    ...(['npm', 'an install script that changed beyond its shown text'] as const),
    script('long', 'd1'),
    script('long', 'd2'),
    ['install_scripts ~ postinstall: long > long'],
  ],
  [
    ...(['npm', 'the publisher and the maintainers'] as const),
    { details: { publisher: 'GitHub Actions', trusted_publisher: 'github' } },
    { details: { publisher: 'ann', maintainers: ['ann', 'mallory'] } },
    ['publisher ~ GitHub Actions > ann', 'trusted_publisher - github', 'maintainers + mallory'],
  ],
  [
    ...(['npm', 'another build'] as const),
    { provenance: builtBy('ana', 'refs/tags/v1') },
    { provenance: builtBy('eve', 'refs/tags/v2') },
    [
      'provenance_repository ~ https://code.example/ana > https://code.example/eve',
      'provenance_workflow ~ https://code.example/ana/publish.yml > https://code.example/eve/publish.yml',
    ],
  ],
  [
    ...(['npm', 'no other build of another tag'] as const),
    { provenance: builtBy('ana', 'refs/tags/v1') },
    { provenance: builtBy('ana', 'refs/tags/v2') },
    [],
  ],
  ['npm', 'lost provenance', {}, { facts: { provenance: false } }, ['provenance - present']],
  ['npm', 'gained provenance', { facts: { provenance: false } }, {}, ['provenance + present']],
  [
    ...(['npm', 'repository, homepage and license'] as const),
    {},
    {
      facts: {
        ...{ repository: 'https://code.example/b', homepage: 'https://a.example/' },
        ...{ license_declaration: 'none', license: null, license_statement: null },
      },
    },
    [
      'repository ~ https://code.example/a > https://code.example/b',
      'homepage + https://a.example/',
      'license - MIT',
    ],
  ],
  [
    ...(['npm', 'commands, engines, size and number of files'] as const),
    npm({ bin: 'a.js', engines: { node: '>=18' } }),
    npm({ bin: { a: './b.js' }, engines: { node: '>=20' } }, { unpackedSize: 900, fileCount: 4 }),
    [
      'bin ~ a: a.js > ./b.js',
      'engines ~ node: >=18 > >=20',
      'size ~ 100 > 900',
      'file_count ~ 3 > 4',
    ],
  ],
  [
    ...(['pypi', 'requirements in any spelling, with several ranges'] as const),
    { manifest: { requirements: ['Typing_Extensions >=4', 'idna'] } },
    { manifest: { requirements: ['typing-extensions >=4', 'idna <4', 'idna', 'requests'] } },
    ['dependencies + requests', 'dependencies ~ idna: <4 or *'],
  ],
  [
    ...(['pypi', 'a source archive in place of a wheel, other Pythons, size'] as const),
    { manifest: { files: [file('a-1.0-py3-none-any.whl', { 'requires-python': '>=3.8' })] } },
    { manifest: { files: [file('a-1.1.tar.gz', { size: 20 }), file('a-1.1.zip', { size: 1 })] } },
    [
      'distributions + sdist',
      'distributions - wheel',
      'requires_python - >=3.8',
      'size ~ 10 > 21',
      'file_count ~ 1 > 2',
    ],
  ],
  [
    ...(['maven', 'dependencies and plugins'] as const),
    { details: { dependencies: [{ name: 'g:b', range: '1' }] } },
    {
      details: {
        dependencies: [
          { name: 'g:b', range: '2' },
          { name: 'g:c', range: '' },
        ],
        plugins: [{ name: 'g:run', range: '1' }],
      },
    },
    ['dependencies + g:c', 'dependencies ~ g:b: 1 > 2', 'plugins + g:run: 1'],
  ],
  [
    ...(['docker', 'what runs as whom, platforms, labels, size and provenance'] as const),
    {},
    {
      facts: { provenance: false },
      manifest: { images: [{ platform: 'linux/arm64', digest: 'e', size: 6 }] },
      details: {
        ...{ entrypoint: '["/x"]', command: null, user: null },
        labels: [{ name: 'team', text: 'x', digest: 'of a longer x' }],
      },
    },
    [
      ...['entrypoint + ["/x"]', 'command - ["a"]', 'user - 101', 'provenance - present'],
      ...['platforms + linux/arm64', 'platforms - linux/amd64', 'labels ~ team: x > x'],
      'size ~ 5 > 6',
    ],
  ],
];

describe('two versions', () => {
  it.each(cases)('of %s differ by %s', (ecosystem, _, before, after, expected) => {
    const found = compare(ecosystem, before, after);

    expect(format(found)).toEqual(expected);
    expect(found.unknown).toEqual(neverKnown[ecosystem]);
  });

  it.each(compared)('of %s that are equal have no change', (ecosystem) => {
    expect(compare(ecosystem, {}, {})).toEqual({ changes: [], unknown: neverKnown[ecosystem] });
  });

  it.each(compared)('of %s without stored metadata are unknown in every attribute', (ecosystem) => {
    const nothing = { facts: undefined, manifest: undefined, details: undefined };
    const known = toRelease(ecosystem, {});
    const unknown = describeRelease(ecosystem, nothing);
    // Only a version with provenance has a build to compare.
    const fields = changeFields.filter(
      (field) => !/^provenance_/.test(field) && known.some((one) => one.field === field),
    );

    for (const [before, after] of [
      [unknown, known],
      [known, unknown],
      [unknown, unknown],
    ] as const) {
      expect(compareReleases(before, after)).toEqual({ changes: [], unknown: fields });
    }
  });

  const details = { install_scripts: undefined };
  const unknowns: [string, Compared, Given, Given, ChangeField[]][] = [
    [
      ...(['the text of a script without details', 'npm'] as const),
      { facts: { install_scripts: ['postinstall'] }, details: { ...details } as never },
      script('node x.js'),
      ['install_scripts'],
    ],
    [
      ...(['addresses of a mirror that shows another version', 'npm'] as const),
      {},
      { details: { described: false } },
      ['repository', 'homepage'],
    ],
    [
      ...(['an address that is no web address', 'npm'] as const),
      {},
      { facts: { repository: null }, details: { unreadable: ['repository'] } },
      ['repository'],
    ],
    [
      ...(['an unreadable license that may be cut', 'npm'] as const),
      {},
      {
        facts: {
          ...{ license_declaration: 'unreadable', license: null },
          licenses_declared: ['x'.repeat(500)],
        },
      },
      ['license'],
    ],
    [
      ...(['the license if upstream shows none', 'npm'] as const),
      {},
      { facts: { license_declaration: 'unknown', license: null } },
      ['license'],
    ],
    [
      ...(['requirements of manifests without details', 'pypi'] as const),
      { details: null },
      { manifest: { requirements: ['idna'] } },
      ['dependencies', 'homepage'],
    ],
    [
      ...(['requirements that may be cut', 'pypi'] as const),
      {},
      { manifest: { requirements: Array.from({ length: 200 }, (_, at) => `r${at}`) } },
      ['dependencies'],
    ],
    [
      ...(['the size if one file has none', 'pypi'] as const),
      {},
      { manifest: { files: [file('a-1-py3-none-any.whl', { size: undefined as never })] } },
      ['size'],
    ],
    [
      ...(['files that the repository does not list', 'maven'] as const),
      {},
      { manifest: { unlisted: true } },
      ['file_count'],
    ],
  ];

  it.each(unknowns)('do not know %s (%s)', (_, ecosystem, before, after, expected) => {
    const { changes, unknown } = compare(ecosystem, before, after);

    expect(changes).toEqual([]);
    expect(unknown.toSorted()).toEqual([...expected, ...neverKnown[ecosystem]].toSorted());
  });

  it('are shown on one line each, without invisible characters', () => {
    const after = npm({ dependencies: { 'a\u202eb': `1\n2\u200b${'x'.repeat(3_000)}` } });
    const [change] = compare('npm', {}, after).changes;

    expect(change?.name).toBe('ab');
    expect(change?.after).toMatch(/^1 2x+$/);
    expect(change?.after?.length).toBeLessThanOrEqual(2_000);
  });
});
