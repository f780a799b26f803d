import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PackageId } from '../../../../shared/domain/packages/package-id.ts';
import { askServer, type OriginServer, startOriginServer } from '../../../support/origin-server.ts';

let server: OriginServer;

beforeEach(async () => {
  server = await startOriginServer();
});

afterEach(() => server.close());

const id = (name: string, version: string): PackageId => ({ ecosystem: 'npm', name, version });

const ask = (name: string, version: string) => askServer(server).collectFacts(id(name, version));

/** A packument with one version, and its manifest. */
const packument = (name: string, version: string, manifest: object, around: object = {}) => ({
  _id: name,
  name,
  'dist-tags': { latest: version },
  versions: {
    [version]: {
      _id: `${name}@${version}`,
      name,
      version,
      dist: { tarball: `${server.url}/${name}/-/x.tgz`, integrity: 'sha512-AAAA' },
      ...manifest,
    },
  },
  time: { created: '2010-01-01T00:00:00.000Z', [version]: '2018-04-09T00:36:52.652Z' },
  ...around,
});

const factsOf = async (manifest: object, around: object = {}) => {
  server.serve('/a', { body: packument('a', '1.0.0', manifest, around) });
  return (await ask('a', '1.0.0')).facts;
};

const manifestOf = async (upstream: object) => {
  server.serve('/a', { body: packument('a', '1.0.0', upstream) });
  const { manifest } = await ask('a', '1.0.0');
  return manifest?.kind === 'npm' ? manifest.version : manifest;
};

describe('a version of npm', () => {
  it('has the facts of the packument and the manifest of the abbreviated format', async () => {
    // left-pad 1.3.0 as a registry has it, trimmed.
    const leftPad = {
      description: 'String left pad',
      main: 'index.js',
      scripts: { test: 'node test', bench: 'node perf/perf.js' },
      devDependencies: { benchmark: '^2.1.0', tape: '*' },
      repository: { url: 'git@github.com:stevemao/left-pad.git', type: 'git' },
      homepage: 'https://github.com/stevemao/left-pad#readme',
      author: { name: 'azer' },
      license: 'WTFPL',
      deprecated: 'use String.prototype.padStart()',
      dist: {
        integrity: 'sha512-XI5MPzVNApjAyhQzphX8BkmKsKUxD4LdyK24iZeQGinBN9yTQT3bFlCBy/aVx2Hr',
        shasum: '5b8a3a7765dfe001261dde915589e782f8c94d1e',
        tarball: `${server.url}/left-pad/-/left-pad-1.3.0.tgz`,
        signatures: [{ keyid: 'SHA256:jl3b', sig: 'MEUC' }],
      },
    };
    server.serve('/left-pad', { body: packument('left-pad', '1.3.0', leftPad) });

    const collected = await ask('left-pad', '1.3.0');

    expect(collected).toEqual({
      outcome: 'answered',
      listing: expect.any(String),
      details: { described: true, install_scripts: [], previous: null },
      releases: [{ version: '1.3.0', published_at: '2018-04-09T00:36:52.652Z', isWithdrawn: true }],
      facts: {
        found: 'yes',
        reason: null,
        name_found: true,
        published_at: '2018-04-09T00:36:52.652Z',
        licenses_declared: ['WTFPL'],
        license: 'WTFPL',
        license_declaration: 'readable',
        license_statement: 'WTFPL',
        description: 'String left pad',
        homepage: 'https://github.com/stevemao/left-pad#readme',
        repository: 'https://github.com/stevemao/left-pad.git',
        deprecated: 'use String.prototype.padStart()',
        yanked: null,
        install_scripts: [],
        provenance: false,
        newest_version: '1.3.0',
      },
      manifest: {
        kind: 'npm',
        version: {
          name: 'left-pad',
          version: '1.3.0',
          deprecated: leftPad.deprecated,
          devDependencies: leftPad.devDependencies,
          dist: leftPad.dist,
        },
      },
    });
  });

  it.each([
    [{ name: 'ana', email: 'ana@example.com' }, { name: 'ana' }],
    [
      { name: 'CI', trustedPublisher: { id: 'github', oidcConfigId: 'oidc:1' } },
      { name: 'CI', trustedPublisher: { id: 'github' } },
    ],
    [{ name: 'CI', trustedPublisher: true }, { name: 'CI' }],
    [{ name: 'a'.repeat(201) }, undefined],
    ['ana', undefined],
  ])('has the publisher %j without the e-mail address: %j', async (_npmUser, publisher) => {
    server.serve('/a', {
      body: packument('a', '1.0.0', { _npmUser, dist: { tarball: `${server.url}/a.tgz` } }),
    });

    const { manifest } = await ask('a', '1.0.0');

    expect(Object(manifest).version._npmUser).toEqual(publisher);
  });

  it('is asked for by one request that says who asks', async () => {
    await factsOf({ license: 'MIT' });

    expect(server.requests.map(({ path }) => path)).toEqual(['/a']);
    expect(server.requests[0]?.headers).toMatchObject({
      accept: 'application/json',
      'user-agent': 'package-registry/0.1.0',
      'accept-encoding': expect.stringContaining('gzip'),
    });
  });

  it('is asked for by its scope, at a mirror below a path', async () => {
    server.serve('/repository/npm/@types%2fnode', { body: packument('@types/node', '22.0.0', {}) });

    const { facts } = await askServer(server, { path: '/repository/npm' }).collectFacts(
      id('@types/node', '22.0.0'),
    );

    expect(facts.found).toBe('yes');
  });

  it('is found whatever its build', async () => {
    server.serve('/a', { body: packument('a', '1.0.0', {}) });

    expect((await ask('a', '1.0.0+linux')).facts.found).toBe('yes');
  });

  it.each<[string, object, string[], string | null]>([
    [
      'an expression',
      { license: '(MIT OR Apache-2.0)' },
      ['(MIT OR Apache-2.0)'],
      'MIT OR Apache-2.0',
    ],
    [
      'an object',
      { license: { type: 'BSD', url: 'https://example.com/license' } },
      ['BSD', 'https://example.com/license'],
      expect.stringContaining('BSD'),
    ],
    [
      'a list of objects, of which one is chosen',
      { licenses: [{ type: 'MIT', url: 'https://example.com/mit' }, { type: 'GPL-2.0' }] },
      ['MIT', 'https://example.com/mit', 'GPL-2.0'],
      'MIT OR GPL-2.0-only',
    ],
    ['a list of names', { license: ['MIT', 'ISC'] }, ['MIT', 'ISC'], 'MIT OR ISC'],
    ['a file', { license: 'SEE LICENSE IN LICENSE.md' }, ['SEE LICENSE IN LICENSE.md'], null],
    ['none at all', { license: 'UNLICENSED' }, ['UNLICENSED'], 'LicenseRef-Proprietary'],
    ['nothing', {}, [], null],
    ['nonsense', { license: 7, licenses: [null, { type: [] }] }, [], null],
    ['an object with a name', { license: { name: 'MIT' } }, ['MIT'], 'MIT'],
  ])('declares a license as %s', async (_, manifest, declared, license) => {
    const facts = await factsOf({ main: 'x', ...manifest });

    expect(facts.licenses_declared).toEqual(declared);
    expect(facts.license).toEqual(license);
  });

  it.each<[string, object, string, string | null]>([
    ['an expression', { license: ' (MIT OR\n Apache-2.0) ' }, 'readable', '(MIT OR Apache-2.0)'],
    ['a name that nobody knows', { license: 'Acme Terms' }, 'readable', 'Acme Terms'],
    ['no license', {}, 'none', null],
    ['an empty license', { license: ' ', licenses: [null, ''] }, 'none', null],
    ['a file', { license: 'SEE LICENSE IN LICENSE.md' }, 'unreadable', null],
    ['a file in brackets', { license: '(see licence in AGPL.txt)' }, 'unreadable', null],
    ['half an expression', { license: 'MIT OR' }, 'unreadable', null],
    ['invisible letters', { license: 'M\u200bIT' }, 'unreadable', null],
    ['a number', { license: 7 }, 'unreadable', null],
    ['an object that names none', { license: { file: 'LICENSE' } }, 'unreadable', null],
    ['a list in a list', { license: ['MIT', ['AGPL-3.0-only']] }, 'unreadable', null],
    ['more than is read', { license: Array(21).fill('MIT') }, 'unreadable', null],
    [
      'a longer text than is read',
      { license: `Acme ${'x'.repeat(250)}` },
      'readable',
      `Acme ${'x'.repeat(250)}`,
    ],
    ['too long a text', { license: `Acme ${'x'.repeat(251)}` }, 'unreadable', null],
    [
      'a long spelling of a license',
      { license: `The ${'The '.repeat(80)}MIT License` },
      'readable',
      'MIT',
    ],
  ])('declares %s', async (_, manifest, declaration, statement) => {
    expect(await factsOf({ main: 'x', ...manifest })).toMatchObject({
      license_declaration: declaration,
      license_statement: statement,
    });
  });

  it.each<[string, object, string]>([
    ['of a newer version', { license: 'MIT' }, 'unknown'],
    ['without a license', {}, 'unknown'],
  ])(
    'does not tell what a short version declares by a packument %s',
    async (_, around, declaration) => {
      server.serve('/a', {
        body: {
          ...{ name: 'a', 'dist-tags': { latest: '2.0.0' }, ...around },
          versions: { '1.0.0': { name: 'a', version: '1.0.0', dist: {} } },
        },
      });

      const { facts } = await ask('a', '1.0.0');

      expect(facts).toMatchObject({ license_declaration: declaration, license_statement: null });
    },
  );

  it.each<[string, unknown, string | null]>([
    ['an address', 'https://git.example.com/a.git', 'https://git.example.com/a.git'],
    ['a short form', 'user/repo', 'https://github.com/user/repo.git'],
    ['an object', { url: 'git+https://github.com/u/r.git' }, 'https://github.com/u/r.git'],
    ['an old protocol', { url: 'git://github.com/u/r.git' }, 'https://github.com/u/r.git'],
    ['one for browsers only', { url: 'ssh://git@git.example.com/r.git' }, null],
    ['a user and password', 'https://u:p@git.example.com/r', 'https://git.example.com/r'],
    ['a script', 'javascript:alert(1)', null],
    ['a long one', `https://example.com/${'x'.repeat(2_000)}`, null],
    ['a number', 7, null],
  ])('has its repository as %s', async (_, repository, expected) => {
    expect((await factsOf({ repository })).repository).toBe(expected);
  });

  it.each<[unknown, string | null]>([
    ['use b', 'use b'],
    ['', null],
    [false, null],
    [true, ''],
    [{}, null],
    ['x'.repeat(3_000), 'x'.repeat(1_000)],
  ])('is deprecated by %j', async (deprecated, expected) => {
    expect((await factsOf({ deprecated })).deprecated).toBe(expected);
  });

  it.each<[object, string[] | null]>([
    [
      { scripts: { postinstall: 'node x', preinstall: 'y', test: 'z' } },
      ['preinstall', 'postinstall'],
    ],
    [{ scripts: { install: '' }, main: 'x' }, []],
    [{ gypfile: true }, ['install']],
    [{ hasInstallScript: true }, ['install']],
    [{ hasInstallScript: false }, []],
    [{ main: 'x' }, []],
    [{ scripts: 'none' }, []],
    [{}, null],
  ])('runs at installation what %j says', async (manifest, expected) => {
    expect((await factsOf(manifest)).install_scripts).toEqual(expected);
  });

  it.each<[object, boolean | null]>([
    [{ attestations: { url: 'x', provenance: { predicateType: 'y' } }, signatures: [] }, true],
    [{ signatures: [{}] }, false],
    [{}, null],
  ])('has provenance as %j says', async (dist, expected) => {
    expect((await factsOf({ dist })).provenance).toBe(expected);
  });

  it('takes from the packument what a short version does not say', async () => {
    const around = { license: 'MIT', description: 'A', repository: 'u/r', time: undefined };

    const facts = await factsOf({}, around);

    expect(facts).toMatchObject({
      found: 'yes',
      license: 'MIT',
      license_declaration: 'readable',
      description: 'A',
      published_at: null,
    });
  });

  it('says nothing of what a mirror with no more than versions does not say', async () => {
    server.serve('/a', {
      body: {
        versions: {
          '1.0.0': { name: 'a', version: '1.0.0', dist: { tarball: `${server.url}/a.tgz` } },
        },
      },
    });

    const { facts, manifest } = await ask('a', '1.0.0');

    expect(facts).toMatchObject({
      found: 'yes',
      license: null,
      provenance: null,
      newest_version: null,
    });
    expect(manifest).toMatchObject({ kind: 'npm', version: { name: 'a', version: '1.0.0' } });
  });

  it('keeps in its manifest all that an installation needs, and says what runs', async () => {
    const needed = {
      dependencies: { b: '1' },
      optionalDependencies: { c: '2' },
      peerDependencies: { d: '3' },
      peerDependenciesMeta: { d: { optional: true } },
      bin: { a: 'bin.js' },
      directories: { lib: 'x' },
      engines: { node: '>=20' },
      cpu: ['x64'],
      os: ['linux'],
      libc: ['glibc'],
      funding: { url: 'https://example.com' },
      _hasShrinkwrap: true,
    };
    const manifest = {
      ...needed,
      bundledDependencies: ['b'],
      scripts: { install: 'x' },
      readme: 'long',
    };

    expect(await manifestOf(manifest)).toEqual({
      name: 'a',
      version: '1.0.0',
      dist: { tarball: `${server.url}/a/-/x.tgz`, integrity: 'sha512-AAAA' },
      ...needed,
      bundleDependencies: ['b'],
      hasInstallScript: true,
    });
  });

  it.each([{}, { tarball: 7 }, { tarball: 'nowhere' }, null])(
    'has no manifest where %j is all that is told of its file',
    async (dist) => {
      expect(await manifestOf({ dist })).toBeNull();
    },
  );
});

const detailsOf = async (manifest: object, around: object = {}) => {
  server.serve('/a', { body: packument('a', '1.0.0', manifest, around) });
  const collected = await ask('a', '1.0.0');
  return collected.outcome === 'answered' ? collected.details : undefined;
};

describe('the details of a publication', () => {
  it('name the publisher, the maintainers, the install scripts and the version before', async () => {
    const details = await detailsOf(
      {
        license: 'MIT',
        _npmUser: {
          name: 'GitHub Actions',
          trustedPublisher: { id: 'github', oidcConfigId: 'oidc:1' },
        },
        maintainers: [{ name: 'zoe', email: 'z@example.org' }, { name: 'ann' }, 'ann'],
        scripts: { postinstall: ' node setup.js\u200b ', test: 'vitest' },
      },
      {
        time: {
          created: '2010-01-01T00:00:00.000Z',
          modified: '2018-04-08T00:00:00.000Z',
          '0.8.0': '2018-01-01T00:00:00.000Z',
          '0.9.0': '2018-02-01T00:00:00.000Z',
          '1.0.0': '2018-04-09T00:36:52.652Z',
          '1.1.0': '2019-01-01T00:00:00.000Z',
        },
      },
    );

    expect(details).toEqual({
      described: true,
      publisher: 'GitHub Actions',
      trusted_publisher: 'github',
      maintainers: ['ann', 'zoe'],
      install_scripts: [
        { name: 'postinstall', text: 'node setup.js', digest: expect.stringMatching(/^.{22}$/) },
      ],
      previous: { version: '0.9.0', published_at: '2018-02-01T00:00:00.000Z' },
    });
  });

  it('name the implicit build, and no trusted publisher of a person', async () => {
    expect(await detailsOf({ license: 'MIT', gypfile: true, _npmUser: { name: 'ann' } })).toEqual({
      described: true,
      publisher: 'ann',
      trusted_publisher: null,
      install_scripts: [{ name: 'install', text: 'node-gyp rebuild', digest: expect.any(String) }],
      previous: null,
    });
  });

  it('are unknown if a mirror shows short versions without times', async () => {
    expect(await detailsOf({ hasInstallScript: true }, { time: undefined })).toEqual({
      described: false,
      install_scripts: [{ name: 'install', text: null, digest: null }],
    });
  });

  it('have bounds: a long script keeps the digest of its whole text, and a long list is unknown', async () => {
    const long = 'x'.repeat(5_000);
    const some = await detailsOf({
      maintainers: Array.from({ length: 101 }, (_, at) => ({ name: `m${at}` })),
      _npmUser: { name: long },
      scripts: { install: `${long}1` },
    });
    const other = await detailsOf({ scripts: { install: `${long}2` } });

    expect(some).toEqual({
      ...{ described: true, trusted_publisher: null, previous: null },
      install_scripts: [{ name: 'install', text: 'x'.repeat(2_000), digest: expect.any(String) }],
    });
    expect(other?.install_scripts?.[0]?.digest).not.toBe(some?.install_scripts?.[0]?.digest);
  });

  it('name addresses that are no web addresses, and that the facts lack', async () => {
    const details = await detailsOf({ license: 'MIT', homepage: 'see readme', repository: ['x'] });

    expect(details?.unreadable).toEqual(['repository', 'homepage']);
  });

  it('cost no request', async () => {
    await detailsOf({ license: 'MIT', _npmUser: { name: 'ann' } });

    expect(server.requests.map(({ path }) => path)).toEqual(['/a']);
  });
});

describe('an object that nests too deep', () => {
  it('is no manifest: nothing could write it down again', async () => {
    const dist = `{"tarball": "https://example.com/a.tgz", "x": ${'['.repeat(200_000)}${']'.repeat(200_000)}}`;
    server.serve('/a', { body: `{"name": "a", "versions": {"1.0.0": {"dist": ${dist}}}}` });

    expect(await ask('a', '1.0.0')).toMatchObject({ facts: { found: 'yes' }, manifest: null });
  });
});

describe('a version that npm does not have', () => {
  it.each([404, 410])('is one of no such package at status %i', async (status) => {
    server.serve('/a', { status, body: { error: 'Not found' } });

    expect(await ask('a', '1.0.0')).toMatchObject({
      outcome: 'answered',
      facts: { found: 'no', name_found: false, reason: `${server.host} has no package a` },
      manifest: null,
    });
  });

  it('is one of a package that it has', async () => {
    server.serve('/a', { body: packument('a', '1.0.0', {}) });

    expect((await ask('a', '2.0.0')).facts).toMatchObject({
      found: 'no',
      name_found: true,
      reason: `${server.host} has a, but not 2.0.0`,
      newest_version: '1.0.0',
    });
  });

  it.each<[string, object]>([
    ['alone', { time: { '2.0.0': '2020-01-01T00:00:00Z' } }],
    [
      'with all others',
      { versions: undefined, time: { unpublished: { time: '2020-01-01', versions: ['2.0.0'] } } },
    ],
  ])('may have been taken back, %s', async (_, around) => {
    server.serve('/a', { body: packument('a', '1.0.0', {}, around) });

    expect((await ask('a', '2.0.0')).facts).toMatchObject({
      found: 'no',
      name_found: true,
      reason: `${server.host} has a, but not 2.0.0: it was unpublished`,
    });
  });

  it.each(['__proto__', 'constructor', 'toString'])(
    'is none of what objects have: %s',
    async (name) => {
      server.serve('/a', { body: `{"name": "a", "versions": {"${name}": {"dist": {}}}}` });

      expect((await ask('a', '1.0.0')).facts.found).toBe('no');
    },
  );
});

describe('a packument that is too large', () => {
  const huge = {
    act: (response: import('node:http').ServerResponse) => {
      response.writeHead(200, { 'Content-Type': 'application/json' });
      const piece = Buffer.alloc(1024 * 1024, 32);
      const write = () => {
        while (!response.destroyed && response.write(piece));
        if (!response.destroyed) response.once('drain', write);
      };
      write();
    },
  };
  const version = {
    _id: 'a@1.0.0',
    name: 'a',
    version: '1.0.0',
    license: 'MIT',
    dist: { tarball: 'https://example.com/a.tgz' },
  };

  it('is asked for in parts', async () => {
    server.serve('/a', huge, {
      body: packument('a', '1.0.0', {}, { 'dist-tags': { latest: '9.0.0' }, time: undefined }),
    });
    server.serve('/a/1.0.0', { body: version });

    const { facts, manifest } = await ask('a', '1.0.0');

    expect(facts).toMatchObject({
      found: 'yes',
      license: 'MIT',
      published_at: null,
      newest_version: '9.0.0',
    });
    expect(manifest?.kind).toBe('npm');
    expect(server.requests.at(-1)?.headers.accept).toContain('application/vnd.npm.install-v1+json');
  });

  it('is known by the version alone where every packument is too large', async () => {
    server.serve('/a', huge);
    server.serve('/a/1.0.0', { body: version });

    expect((await ask('a', '1.0.0')).facts).toMatchObject({ found: 'yes', newest_version: null });
  });

  it('is not known where there is nothing but it', async () => {
    server.serve('/a', huge);

    expect(await ask('a', '1.0.0')).toMatchObject({
      outcome: 'failed',
      passing: false,
      facts: { found: 'unknown', reason: `${server.host} responded with more than 32 MiB` },
    });
  });
});

describe('the earlier versions', () => {
  const version = (number: string, publisher: string | undefined) => ({
    name: 'a',
    version: number,
    license: 'MIT',
    dist: { tarball: `${server.url}/a/-/a-${number}.tgz`, integrity: `sha512-${number}` },
    ...(publisher !== undefined && { _npmUser: { name: publisher } }),
  });

  /** Collects a version of a package with versions of some publishers, each published on the day of its place. */
  const collect = async (
    number: string,
    published: readonly (readonly [string, string | undefined])[],
  ) => {
    const time = published.map(([one], at) => [one, new Date(at * 86_400_000).toISOString()]);
    server.serve('/a', {
      body: {
        name: 'a',
        versions: Object.fromEntries(published.map(([one, by]) => [one, version(one, by)])),
        time: Object.fromEntries(time),
      },
    });
    const collected = await ask('a', number);
    if (collected.outcome !== 'answered') throw new Error(collected.facts.reason ?? '');
    return collected;
  };

  it('contain the nearest one below that was published before, with its metadata', async () => {
    const { earlier } = await collect('1.2.0', [
      ['1.0.0', 'ann'],
      ['1.1.0', 'bob'],
      ['2.0.0-rc.1', 'bob'],
      ['0.9.1', 'ann'],
      ['1.2.0', 'ann'],
      ['1.1.1', 'ann'],
    ]);

    expect(earlier).toMatchObject({
      version: '1.1.0',
      facts: { found: 'yes', license: 'MIT', published_at: '1970-01-02T00:00:00.000Z' },
      manifest: { kind: 'npm', version: { dist: { integrity: 'sha512-1.1.0' } } },
      details: { publisher: 'bob' },
    });
    expect(earlier).not.toHaveProperty('publications');
  });

  it('contain no version of the same week if there is an older one', async () => {
    const { earlier } = await collect('1.2.9', [
      ['1.2.8', 'ann'],
      ...Array.from({ length: 7 }, (_, at) => [`0.${at}.0`, 'ann'] as const),
      ['1.2.9-rc.1', 'eve'],
      ['1.2.9', 'eve'],
    ]);
    const burst = await collect('1.3.0', [
      ['1.1.0', 'ann'],
      ...Array.from({ length: 7 }, (_, at) => [`0.${at}.0`, 'ann'] as const),
      ['1.2.0', 'eve'],
      ['1.3.0', 'eve'],
    ]);

    expect(earlier?.version).toBe('1.2.8');
    expect(burst.earlier?.version).toBe('1.1.0');
  });

  it('name the publishers of the 200 versions before, newest first', async () => {
    const some = Array.from({ length: 300 }, (_, at) => [`1.${at}.0`, `by${at}`] as const);
    const { publications } = await collect('1.250.0', some);

    expect(publications).toHaveLength(200);
    expect(publications?.[0]).toEqual({
      publisher: 'by249',
      published_at: new Date(249 * 86_400_000).toISOString(),
    });
    expect(publications?.at(-1)?.publisher).toBe('by50');
  });

  it('are unknown for the first version, and publishers if upstream omits them', async () => {
    const first = await collect('1.0.0', [['1.0.0', 'ann']]);
    const unnamed = await collect('1.1.0', [
      ['1.0.0', undefined],
      ['1.1.0', 'ann'],
    ]);

    expect(first.earlier).toBeUndefined();
    expect(unnamed.earlier?.version).toBe('1.0.0');
    expect(unnamed).not.toHaveProperty('publications');
  });
});
