import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Ecosystem } from '../../../shared/ecosystems/ecosystem.ts';
import {
  askServer,
  type OriginReply,
  type OriginServer,
  startOriginServer,
} from '../../support/origin-server.ts';

let server: OriginServer;
beforeEach(async () => {
  server = await startOriginServer();
});
afterEach(() => server.close());

const list = (ecosystem: Ecosystem, name: string) =>
  askServer(server).listReleases({ ecosystem, name });

const listPaths = () => server.requests.map(({ path }) => path);

/** Versions and publication times, each with `!` if the version is withdrawn. */
const listed = async (ecosystem: Ecosystem, name: string) => {
  const answer = await list(ecosystem, name);
  if (answer.outcome !== 'answered') throw new Error(JSON.stringify(answer));
  return answer.releases.map(
    ({ version, published_at, isWithdrawn }) =>
      `${version}${isWithdrawn ? '!' : ''} ${published_at}`,
  );
};

/** Releases in the upstream metadata of a version. */
const collectReleases = async (ecosystem: Ecosystem, name: string, version: string) => {
  const collected = await askServer(server).collectFacts({ ecosystem, name, version });
  return collected.outcome === 'answered' ? collected.releases : collected;
};

const simpleJson = { 'Content-Type': 'application/vnd.pypi.simple.v1+json' };

const toFile = (filename: string, uploaded?: string, yanked: unknown = false) => ({
  filename,
  url: `${server.url}/${filename}`,
  hashes: {},
  yanked,
  ...(uploaded && { 'upload-time': uploaded }),
});

const servePypi = (files: readonly unknown[], around: object = {}): void =>
  server.serve('/simple/a/', { headers: simpleJson, body: { name: 'a', files, ...around } });

const serveNpm = (versions: object, time?: object): void =>
  server.serve('/@scope%2fa', { body: { name: '@scope/a', versions, time } });

const metadataPath = '/org/example/lib/maven-metadata.xml';

const toMetadata = (...versions: readonly string[]): OriginReply => {
  const items = versions.map((version) => `<version>${version}</version>`);
  return {
    body: `<metadata><versioning><versions>${items.join('')}</versions></versioning></metadata>`,
  };
};

const pom = '/org/example/lib/1.0/lib-1.0.pom';
const toPom = (headers: Readonly<Record<string, string>> = {}): OriginReply => ({
  headers,
  body: '<project><groupId>org.example</groupId><artifactId>lib</artifactId><version>1.0</version></project>',
});

describe('the versions of an npm package', () => {
  it('have their times and deprecations', async () => {
    serveNpm(
      {
        '1.0.0': {},
        '1.1.0': { deprecated: 'broken' },
        '1.2.0': { deprecated: '' },
        '2.0.0-rc.1': { deprecated: true },
        '2.0.0': {},
      },
      {
        created: '2026-01-01T00:00:00.000Z',
        '1.0.0': '2026-01-01T00:00:01.5+00:00',
        '1.1.0': '2026-01-02T00:00:00.000Z',
        '1.2.0': '2026-01-03T00:00:00.000Z',
        '2.0.0-rc.1': 'yesterday',
        '3.0.0': '2026-01-04T00:00:00.000Z',
      },
    );

    expect(await listed('npm', '@scope/a')).toEqual([
      '1.0.0 2026-01-01T00:00:01.500Z',
      '1.1.0! 2026-01-02T00:00:00.000Z',
      '1.2.0 2026-01-03T00:00:00.000Z',
      '2.0.0-rc.1! null',
      '2.0.0 null',
    ]);
    expect(await list('npm', '@scope/a')).toMatchObject({
      firstPublishedAt: '2026-01-01T00:00:00.000Z',
    });
    expect(listPaths()).toEqual(['/@scope%2fa', '/@scope%2fa']);
  });

  it('are valid ones, each once', async () => {
    serveNpm(
      { '1.0': {}, '1.0.0+a': {}, '1.0.0+b': { deprecated: 'no' }, '<b>': {}, '1.1.0': 'none' },
      { '1.0.0+a': '2026-01-02T00:00:00.000Z', '1.0.0+b': '2026-01-01T00:00:00.000Z' },
    );

    expect(await listed('npm', '@scope/a')).toEqual(['1.0.0+a 2026-01-01T00:00:00.000Z']);
  });

  it('have no times if only the abbreviated packument is small enough', async () => {
    const huge = `{"name":"@scope/a","versions":{},"readme":"${'a'.repeat(33 * 1024 * 1024)}"}`;
    server.serve(
      '/@scope%2fa',
      { body: huge },
      { body: { name: '@scope/a', versions: { '1.0.0': {} }, modified: '2026-01-01T00:00:00Z' } },
    );

    expect(await list('npm', '@scope/a')).toEqual({
      outcome: 'answered',
      releases: [{ version: '1.0.0', published_at: null, isWithdrawn: false }],
      firstPublishedAt: null,
    });
    expect(server.requests.map(({ headers }) => headers.accept)).toEqual([
      'application/json',
      expect.stringContaining('vnd.npm.install'),
    ]);
  });

  it('are none after the package was unpublished', async () => {
    const time = { created: '2026-01-01T00:00:00.000Z', unpublished: { name: '@scope/a' } };
    server.serve('/@scope%2fa', { body: { name: '@scope/a', time } });

    expect(await list('npm', '@scope/a')).toEqual({
      outcome: 'answered',
      releases: [],
      firstPublishedAt: '2026-01-01T00:00:00.000Z',
    });
  });

  it('come with the upstream metadata of a version, in one request', async () => {
    serveNpm({ '1.0.0': { version: '1.0.0' }, '1.1.0': {} }, { '1.1.0': '2026-01-02T00:00:00Z' });
    const releases = [
      { version: '1.0.0', published_at: null, isWithdrawn: false },
      { version: '1.1.0', published_at: '2026-01-02T00:00:00.000Z', isWithdrawn: false },
    ];

    expect(await collectReleases('npm', '@scope/a', '1.0.0')).toEqual(releases);
    expect(await collectReleases('npm', '@scope/a', '9.0.0')).toEqual(releases);
    expect(listPaths()).toEqual(['/@scope%2fa', '/@scope%2fa']);
  });
});

describe('the versions of a PyPI project', () => {
  it('have the time of their first file, and are withdrawn if all files are', async () => {
    servePypi([
      toFile('a-1.0.0.tar.gz', '2026-01-02T00:00:00.5Z', 'broken'),
      toFile('a-1.0-py3-none-any.whl', '2026-01-01T00:00:00Z'),
      toFile('a-1.1-py3-none-any.whl', undefined, true),
      toFile('a-1.1.tar.gz', '2026-01-03T00:00:00Z', ''),
      toFile('a-1!2.0.tar.gz'),
      toFile('b-3.0.tar.gz'),
      toFile('a-latest.tar.gz'),
    ]);

    expect(await listed('pypi', 'A')).toEqual([
      '1.0.0 2026-01-01T00:00:00.000Z',
      '1.1! 2026-01-03T00:00:00.000Z',
      '1!2.0 null',
    ]);
    expect(await list('pypi', 'a')).toMatchObject({ firstPublishedAt: '2026-01-01T00:00:00.000Z' });
    expect(listPaths()).toEqual(['/simple/a/', '/simple/a/']);
  });

  it.each(['deprecated', 'quarantined'])('are withdrawn if the project is %s', async (status) => {
    servePypi([toFile('a-1.0.tar.gz')], { 'project-status': { status } });

    expect(await listed('pypi', 'a')).toEqual(['1.0! null']);
  });

  it('come with the upstream metadata of a version, from the same requests', async () => {
    servePypi([toFile('a-1.0.tar.gz'), toFile('a-1.1.tar.gz', '2026-01-01T00:00:00Z')]);
    const releases = [
      { version: '1.0', published_at: null, isWithdrawn: false },
      { version: '1.1', published_at: '2026-01-01T00:00:00.000Z', isWithdrawn: false },
    ];

    expect(await collectReleases('pypi', 'a', '1.0')).toEqual(releases);
    expect(await collectReleases('pypi', 'a', '9.0')).toEqual(releases);
    expect(listPaths().filter((path) => path.startsWith('/simple/'))).toHaveLength(2);
  });

  it('are unknown with the JSON API alone', async () => {
    const info = { name: 'a', version: '1.0' };
    server.serve('/pypi/a/1.0/json', { body: { info, urls: [] } });

    expect(await collectReleases('pypi', 'a', '1.0')).toBeUndefined();
  });
});

describe('the versions of a Maven artifact', () => {
  it('have no times, and the first publication is that of the first POM', async () => {
    server.serve(metadataPath, toMetadata('1.0', '1.0.0', '1.0', 'a b', '2.0-M1'));
    server.serve(pom, toPom({ 'Last-Modified': 'Tue, 10 Oct 2023 18:21:05 GMT' }));

    expect(await list('maven', 'org.example:lib')).toEqual({
      outcome: 'answered',
      releases: ['1.0', '1.0.0', '2.0-M1'].map((version) => ({
        ...{ version, published_at: null, isWithdrawn: false },
      })),
      firstPublishedAt: '2023-10-10T18:21:05.000Z',
    });
    expect(listPaths()).toEqual([metadataPath, pom]);
  });

  it.each<[string, OriginReply]>([
    ['is missing', { status: 404 }],
    ['is refused', { status: 403 }],
    ['has no time', toPom()],
    ['is no POM', { body: 'what?' }],
  ])('have no first publication if the first POM %s', async (_, reply) => {
    server.serve(metadataPath, toMetadata('1.0'));
    server.serve(pom, reply);

    expect(await list('maven', 'org.example:lib')).toEqual({
      outcome: 'answered',
      releases: [{ version: '1.0', published_at: null, isWithdrawn: false }],
      firstPublishedAt: null,
    });
  });

  it('are requested again if the first POM fails for a while', async () => {
    server.serve(metadataPath, toMetadata('1.0'));
    server.serve(pom, { status: 503 });

    expect(await list('maven', 'org.example:lib')).toMatchObject({
      outcome: 'failed',
      passing: true,
    });
  });

  it('come with the upstream metadata of a version, in one request for all', async () => {
    server.serve(metadataPath, toMetadata('1.0', '1.1'));
    server.serve(pom, toPom());
    const releases = ['1.0', '1.1'].map((version) => ({
      ...{ version, published_at: null, isWithdrawn: false },
    }));

    expect(await collectReleases('maven', 'org.example:lib', '1.0')).toEqual(releases);
    expect(await collectReleases('maven', 'org.example:lib', '9.0')).toEqual(releases);
    expect(listPaths().filter((path) => path === metadataPath)).toHaveLength(2);
  });
});

describe('a list of versions', () => {
  it.each<[Ecosystem, string]>([
    ['npm', 'a'],
    ['pypi', 'a'],
    ['maven', 'org.example:lib'],
  ])('of %s reports a name that upstream lacks', async (ecosystem, name) => {
    expect(await list(ecosystem, name)).toEqual({ outcome: 'unknown_name' });
  });

  const paths = { npm: '/a', pypi: '/simple/a/', maven: metadataPath } as const;
  const names = { npm: 'a', pypi: 'a', maven: 'org.example:lib' } as const;

  it.each(
    (['npm', 'pypi', 'maven'] as const).flatMap((ecosystem) => [
      [ecosystem, 'a temporary failure', { status: 503 }, true] as const,
      [ecosystem, 'a refusal', { status: 403 }, false] as const,
      [ecosystem, 'a page', { body: '<html>Sign in</html>' }, false] as const,
    ]),
  )('of %s reports %s', async (ecosystem, _, reply, passing) => {
    server.serve(paths[ecosystem], reply);

    expect(await list(ecosystem, names[ecosystem])).toEqual({
      outcome: 'failed',
      reason: expect.stringContaining(server.host),
      passing,
    });
  });

  it('of npm refuses the packument of another package', async () => {
    server.serve('/a', { body: { name: 'b', versions: { '1.0.0': {} } } });

    expect(await list('npm', 'a')).toMatchObject({ outcome: 'failed', passing: false });
  });

  it('does not exist for images', async () => {
    expect(await list('docker', 'library/alpine')).toEqual({
      outcome: 'failed',
      reason: 'The tags of images are not listed',
      passing: false,
    });
    expect(server.requests).toEqual([]);
  });

  it('has at most 100,000 versions', async () => {
    const count = 100_001;
    const versions = Array.from({ length: count }, (_, at) => [`1.0.${at}`, {}] as const);
    server.serve('/a', { body: { name: 'a', versions: Object.fromEntries(versions) } });

    expect(await listed('npm', 'a')).toHaveLength(100_000);
  });
});
