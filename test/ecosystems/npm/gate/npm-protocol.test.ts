import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../../../support/eventually.ts';
import { type OriginServer, startOriginServer } from '../../../support/origin-server.ts';
import { packagePath, TestRegistry } from '../../../support/registry.ts';

const published = ['1.0.0', '1.1.0', '2.0.0', '3.0.0-rc.1', '3.0.0-rc.2'] as const;
const name = '@acme/lib';
const file = (version: string): string => `${name}/-/lib-${version}.tgz`;
const slsa = 'https://slsa.dev/provenance/v1';
const attestations = (version: string): string => `-/npm/v1/attestations/${name}@${version}`;
/** Versions with signatures and attestations. Another host has the attestations of the last version. */
const signed = ['1.0.0', '2.0.0', '3.0.0-rc.1'];
const attestationsAt = (version: string): string =>
  `${version === '3.0.0-rc.1' ? 'https://elsewhere.example.com' : origin.url}/${attestations(version)}`;
/** Repository of a version, which may be no web address, and which may change from version to version. */
const project = (version: string): string =>
  version === '1.1.0' ? 'git+https://git.example.com/acme/lib.git' : `file:///${version}`;
const at = (version: string): string => `2024-01-0${published.indexOf(version as never) + 1}`;

let origin: OriginServer;
let registry: TestRegistry;

/** What the origin says of a version; the last one has no checksum at all. */
const describeVersion = (version: string): object => ({
  ...{ name, version, license: 'MIT', description: 'A library', bin: { lib: 'cli.js' } },
  ...(version !== '1.0.0' && { homepage: `https://lib.example.com/${version}` }),
  ...(version !== '1.0.0' && { repository: { type: 'git', url: project(version) } }),
  ...{ os: ['linux'], cpu: ['x64'], libc: ['glibc'], engines: { node: '>=18' } },
  scripts: { postinstall: 'node evil.js' },
  dependencies: { other: '^1.0.0' },
  peerDependencies: { peer: '*' },
  peerDependenciesMeta: { peer: { optional: true } },
  _npmUser: {
    ...{ name: 'CI', email: 'ci@example.com' },
    trustedPublisher: { id: 'github', oidcConfigId: 'oidc:1' },
  },
  dist: {
    tarball: `${origin.url}/${file(version)}`,
    ...(version !== '3.0.0-rc.2' && { integrity: `sha512-${'A'.repeat(86)}==` }),
    ...(signed.includes(version) && {
      signatures: [{ keyid: 'SHA256:a', sig: 'MEUCIQ' }],
      attestations: { url: attestationsAt(version), provenance: { predicateType: slsa } },
    }),
  },
});

const publish = (): void =>
  origin.serve('/npm/@acme%2flib', {
    body: {
      name,
      'dist-tags': { latest: '2.0.0', next: '3.0.0-rc.2' },
      versions: Object.fromEntries(published.map((one) => [one, describeVersion(one)])),
      time: Object.fromEntries(published.map((one) => [one, `${at(one)}T00:00:00.000Z`])),
    },
  });

const found = async (version: string): Promise<boolean> => {
  const path = `${packagePath(name, '/evidence')}?version=${version}`;
  return (await registry.get(path)).body.facts?.found === 'yes';
};

beforeAll(async () => {
  origin = await startOriginServer();
  publish();
  registry = await TestRegistry.start({ originUrl: origin.url });
  for (const version of published) {
    await registry.submit({ ecosystem: 'npm', name, version });
    await until(() => found(version));
  }
  for (const version of published.filter((one) => one !== '2.0.0')) {
    await registry.post(`${packagePath(name, '/approve')}?version=${version}`);
  }
});
afterAll(async () => {
  await registry.close();
  await origin.close();
});

const ask = (path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`${registry.url}/npm/${path}`, { redirect: 'manual', ...init });

describe('a packument', () => {
  const abbreviated = 'application/vnd.npm.install-v1+json; q=1.0, application/json; q=0.8';

  it.each([
    ['@acme%2flib', abbreviated, 'application/vnd.npm.install-v1+json'],
    ['@acme%2Flib', 'application/json', 'application/json'],
    ['@acme/lib', '*/*', 'application/json'],
    ['@acme/lib?write=true', '', 'application/json'],
  ])('is served at %s to who accepts %j', async (path, accept, type) => {
    const answer = await ask(path, { headers: { Accept: accept } });

    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, type]);
    expect(await answer.json()).toMatchObject({ name });
  });

  it('has approved versions with a checksum alone, the highest release as the latest, and their times', async () => {
    const packument = await (await ask(name)).json();

    expect(packument).toMatchObject({
      'dist-tags': { latest: '1.1.0' },
      time: {
        '1.0.0': '2024-01-01T00:00:00.000Z',
        modified: '2024-01-04T00:00:00.000Z',
        created: '2024-01-01T00:00:00.000Z',
      },
    });
    expect(Object.keys(Object(packument).versions).sort()).toEqual([
      '1.0.0',
      '1.1.0',
      '3.0.0-rc.1',
    ]);
    expect(Object.keys(Object(packument)['dist-tags'])).toEqual(['latest']);
  });

  it('has the project addresses of the latest approved version, from which update bots take release notes', async () => {
    const { homepage, repository } = Object(await (await ask(name)).json());

    expect([homepage, repository]).toEqual([
      'https://lib.example.com/1.1.0',
      'https://git.example.com/acme/lib.git',
    ]);
  });

  it('says what it takes to install a version, and that its scripts would run', async () => {
    const { versions } = Object(await (await ask(name)).json());

    expect(versions['1.0.0']).toEqual({
      ...{ name, version: '1.0.0', bin: { lib: 'cli.js' }, hasInstallScript: true },
      ...{ os: ['linux'], cpu: ['x64'], libc: ['glibc'], engines: { node: '>=18' } },
      dependencies: { other: '^1.0.0' },
      license: 'MIT',
      peerDependencies: {},
      peerDependenciesMeta: {},
      _npmUser: { name: 'CI', trustedPublisher: { id: 'github' } },
      dist: {
        integrity: `sha512-${'A'.repeat(86)}==`,
        tarball: `${registry.url}/npm/${file('1.0.0')}`,
        signatures: [{ keyid: 'SHA256:a', sig: 'MEUCIQ' }],
        attestations: {
          url: `${registry.url}/npm/${attestations('1.0.0')}`,
          provenance: { predicateType: slsa },
        },
      },
    });
    expect(Object.keys(versions['1.1.0'].dist).sort()).toEqual(['integrity', 'tarball']);
  });

  it('is not sent again to who has it, and may be kept for a minute', async () => {
    const { headers } = await ask(name);

    const again = await ask(name, { headers: { 'If-None-Match': headers.get('etag') ?? '' } });

    expect(headers.get('cache-control')).toBe(
      'public, max-age=60, must-revalidate, stale-if-error=0',
    );
    expect([again.status, await again.text()]).toEqual([304, '']);
  });

  it('is refused to a client with any copy at all, while nothing is approved', async () => {
    const answers = await Promise.all(
      ['npm/nobody-approved', 'pypi/simple/nobody-approved/'].map((path) =>
        fetch(`${registry.url}/${path}`, { headers: { 'If-None-Match': '*' } }),
      ),
    );

    expect(answers.map(({ status }) => status)).toEqual([403, 404]);
  });

  it('names the headers that change it, so that a cache for many can keep it', async () => {
    const { headers } = await ask(name);

    // npm writes these headers of its requests to its cache, so that no token may be among them.
    expect(headers.get('vary')).toBe('Accept, Accept-Encoding');
  });

  it.each([{ Authorization: 'Bearer any' }, { 'X-API-Key': 'any' }])(
    'is for nobody else if the request has %j',
    async (headers) => {
      const etag = (await ask(name)).headers.get('etag') ?? '';
      const answers = [
        await ask(name, { headers }),
        await ask(name, { headers: { ...headers, 'If-None-Match': etag } }),
        await ask(file('1.0.0'), { headers }),
      ];

      expect(answers.map((one) => [one.status, one.headers.get('cache-control')])).toEqual(
        [200, 304, 302].map((status) => [
          status,
          'private, max-age=60, must-revalidate, stale-if-error=0',
        ]),
      );
    },
  );
});

describe('a file', () => {
  it.each([file('1.0.0'), `npm/${file('1.0.0')}`, '@acme%2flib/-/lib-1.0.0.tgz'])(
    '%s comes from its origin, and is not kept here',
    async (path) => {
      for (const method of ['GET', 'HEAD']) {
        const { status, headers } = await ask(path, { method });
        const location = `${origin.url}/${file('1.0.0')}`;
        expect([status, headers.get('location')]).toEqual([302, location]);
      }
    },
  );

  it.each([
    ['2.0.0', 'not_approved', 'npm:@acme/lib@2.0.0 waits for review; approved: 1.1.0'],
    [
      '9.0.0',
      'not_approved',
      'npm:@acme/lib@9.0.0 was never submitted for review; approved: 1.1.0; ask: registry submit npm:@acme/lib@9.0.0',
    ],
    [
      '3.0.0-rc.2',
      'not_pinned_yet',
      'npm:@acme/lib@3.0.0-rc.2 is approved, but its origin names no checksum of its file, without which it is not handed on',
    ],
  ])('of %s is refused: %s', async (version, code, reason) => {
    const answer = await ask(file(version));

    const address = `${registry.url}/console#/packages/npm/%40acme%2Flib/${version}`;
    // The console has no page of a version that was never submitted.
    const command = `get the command at ${registry.url}/registry.mjs`;
    const error = `${reason}; ${version === '9.0.0' ? command : `see ${address}`}`;
    expect(answer.status).toBe(403);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(await answer.json()).toMatchObject({ code, error, detail: error });
  });
});

describe('attestations', () => {
  it.each([
    attestations('1.0.0'),
    `npm/${attestations('1.0.0')}`,
    '-/npm/v1/attestations/@acme%2flib@1.0.0',
    '-/npm/v1/attestations/%40acme%2Flib%401.0.0',
  ])('at %s redirect to the origin', async (path) => {
    for (const method of ['GET', 'HEAD']) {
      const { status, headers } = await ask(path, { method });
      const location = `${origin.url}/${attestations('1.0.0')}`;
      expect([status, headers.get('location')]).toEqual([302, location]);
    }
  });

  it.each([
    ['2.0.0', 403, 'not_approved', 'npm:@acme/lib@2.0.0 waits for review; approved: 1.1.0'],
    ['9.0.0', 403, 'not_approved', 'npm:@acme/lib@9.0.0 was never submitted for review'],
    ['3.0.0-rc.1', 403, 'not_approved', 'a host that is not its registry'],
    ['1.1.0', 404, 'route_not_found', 'npm:@acme/lib@1.1.0 has no attestations.'],
  ])('of %s are refused: %s', async (version, status, code, reason) => {
    const answer = await ask(attestations(version));

    expect([answer.status, answer.headers.get('cache-control')]).toEqual([status, 'no-store']);
    expect(await answer.json()).toMatchObject({ code, error: expect.stringContaining(reason) });
  });
});

it.each(['-/npm/v1/keys', 'npm/-/npm/v1/keys'])(
  'the keys of signatures at %s redirect to the origin',
  async (path) => {
    const { status, headers } = await ask(path);

    expect([status, headers.get('location')]).toEqual([302, `${origin.url}/npm/-/npm/v1/keys`]);
  },
);

it('a package without an approved version is refused until it has one, and no client keeps that', async () => {
  const answer = await ask('left-pad');

  expect([answer.status, answer.headers.get('cache-control')]).toEqual([403, 'no-store']);
});

describe('what npm asks besides', () => {
  it('is answered where it asks whether anybody is there', async () => {
    const answer = await ask('-/ping');

    expect([answer.status, await answer.json()]).toEqual([200, {}]);
  });

  it.each(['-/v1/search?text=lib', '-/package/@acme%2flib/dist-tags', '-/npm/v1/attestations/x@1'])(
    '%s is not there',
    async (path) => {
      expect((await ask(path)).status).toBe(404);
    },
  );

  it.each(['@acme//lib', 'lodash//', '//lodash'])('%s is not there', async (path) => {
    expect((await ask(path)).status).toBe(404);
  });

  it.each(['-/npm/v1/security/advisories/bulk', '-/npm/v1/security/audits/quick'])(
    '%s is not there: an empty answer would pass for a clean one',
    async (path) => {
      const answer = await ask(path, { method: 'POST', body: '{}' });

      expect(answer.status).toBe(404);
    },
  );
});

it('asks nothing of the origin on the way of a request', async () => {
  const before = origin.requests.length;

  await ask(name);
  await ask(file('1.0.0'));
  await ask(file('2.0.0'));
  await ask(attestations('1.0.0'));
  await ask('-/npm/v1/keys');

  expect(origin.requests.length).toBe(before);
});
