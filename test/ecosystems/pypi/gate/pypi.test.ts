import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../../../support/eventually.ts';
import { type OriginServer, startOriginServer } from '../../../support/origin-server.ts';
import { packagePath, TestRegistry } from '../../../support/registry.ts';

const sha256 = (digit: string): string => digit.repeat(64);
const wheel = (version: string) => `acme_lib-${version}-py3-none-any.whl`;

let origin: OriginServer;
let registry: TestRegistry;

const publish = (): void => {
  const file = (filename: string, hash: string, more: object = {}) => ({
    ...{ filename, url: `${origin.url}/files/${filename}`, hashes: { sha256: sha256(hash) } },
    ...more,
  });
  const files = [
    file(wheel('1.0'), 'a', {
      'requires-python': '>=3.9,<4',
      'core-metadata': { sha256: sha256('b') },
      'upload-time': '2024-03-01T10:00:00.000000Z',
      size: 1234,
      provenance: '/integrity/acme-lib/1.0/provenance?a&b',
    }),
    file('acme_lib-1.0.tar.gz', 'c', { provenance: null, yanked: 'a "bad" <build>' }),
    file(wheel('2.0'), 'd'),
  ];
  const headers = { 'Content-Type': 'application/vnd.pypi.simple.v1+json' };
  const body = { meta: { 'api-version': '1.1' }, name: 'acme-lib', files };
  origin.serve('/pypi/simple/acme-lib/', { headers, body });
};

const id = (version: string) => ({ ecosystem: 'pypi', name: 'Acme.Lib', version });
const known = async (version: string): Promise<boolean> => {
  const path = `${packagePath('acme-lib', '/evidence')}?version=${version}`;
  return (await registry.get(path)).body.facts?.found === 'yes';
};

beforeAll(async () => {
  origin = await startOriginServer();
  publish();
  registry = await TestRegistry.start({ originUrl: origin.url });
  for (const version of ['1.0', '2.0']) {
    await registry.submit(id(version));
    await until(() => known(version));
  }
  await registry.post(`${packagePath('acme-lib', '/approve')}?version=1.0`);
});
afterAll(async () => {
  await registry.close();
  await origin.close();
});

const json = 'application/vnd.pypi.simple.v1+json';
const ask = (path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`${registry.url}/pypi/${path}`, { redirect: 'manual', ...init });
const askJson = (path: string) => ask(path, { headers: { Accept: `${json}, text/html;q=0.1` } });

describe('a project', () => {
  it('has the files of approved versions, at the gate, pinned to what they were', async () => {
    const answer = await askJson('simple/acme-lib/');

    expect(answer.headers.get('content-type')).toBe(json);
    expect(answer.headers.get('vary')).toContain('Accept');
    expect(await answer.json()).toEqual({
      meta: { 'api-version': '1.3' },
      name: 'acme-lib',
      versions: ['1.0'],
      files: [
        {
          filename: wheel('1.0'),
          url: `${registry.url}/pypi/files/acme-lib/1.0/${wheel('1.0')}`,
          hashes: { sha256: sha256('a') },
          'requires-python': '>=3.9,<4',
          'core-metadata': { sha256: sha256('b') },
          'upload-time': '2024-03-01T10:00:00.000000Z',
          size: 1234,
          provenance: `${origin.url}/integrity/acme-lib/1.0/provenance?a&b`,
        },
        {
          filename: 'acme_lib-1.0.tar.gz',
          url: `${registry.url}/pypi/files/acme-lib/1.0/acme_lib-1.0.tar.gz`,
          hashes: { sha256: sha256('c') },
          yanked: 'a "bad" <build>',
        },
      ],
    });
  });

  it('is HTML to whoever does not ask for JSON, in which what others wrote is text', async () => {
    const answer = await ask('simple/acme-lib/', { headers: { Accept: 'text/html' } });

    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const page = await answer.text();
    const url = `${registry.url}/pypi/files/acme-lib/1.0/${wheel('1.0')}#sha256=${sha256('a')}`;
    expect(page).toContain(`<a href="${url}" data-requires-python="&gt;=3.9,&lt;4"`);
    expect(page).toContain(`data-core-metadata="sha256=${sha256('b')}"`);
    expect(page).toContain(
      `data-provenance="${origin.url}/integrity/acme-lib/1.0/provenance?a&amp;b">`,
    );
    expect(page.match(/data-provenance/g)).toHaveLength(1);
    expect(page).toContain('data-yanked="a &quot;bad&quot; &lt;build&gt;"');
    expect(page).not.toContain(wheel('2.0'));
  });

  it.each(['simple/Acme_Lib/', 'simple/acme.lib', 'simple/acme-lib/?x=1'])(
    'is found by %s',
    async (path) => {
      expect((await askJson(path)).status).toBe(200);
    },
  );

  it('is not there where nothing of it is approved', async () => {
    const answer = await askJson('simple/other/');

    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({
      code: 'package_not_found',
      error: `No version of other is approved; ask: registry submit pypi:other@VERSION; get the command at ${registry.url}/registry.mjs`,
    });
  });

  it('is not sent again to who has it, and may be kept for a minute', async () => {
    const { headers } = await askJson('simple/acme-lib/');

    const again = await ask('simple/acme-lib/', {
      headers: { Accept: json, 'If-None-Match': headers.get('etag') ?? '' },
    });

    expect(headers.get('cache-control')).toBe(
      'public, max-age=60, must-revalidate, stale-if-error=0',
    );
    expect([again.status, await again.text()]).toEqual([304, '']);
  });
});

describe('a file', () => {
  const path = (version: string, file = wheel(version)) => `files/acme-lib/${version}/${file}`;

  it.each([
    [path('1.0'), wheel('1.0')],
    [`${path('1.0')}.metadata`, `${wheel('1.0')}.metadata`],
    [path('1.0', 'acme_lib-1.0.tar.gz'), 'acme_lib-1.0.tar.gz'],
  ])('%s comes from its origin', async (asked, file) => {
    for (const method of ['GET', 'HEAD']) {
      const { status, headers } = await ask(asked, { method });
      expect([status, headers.get('location')]).toEqual([302, `${origin.url}/files/${file}`]);
    }
  });

  it.each([
    [path('2.0'), 'pypi:acme-lib@2.0 waits for review; approved: 1.0'],
    [path('3.0'), 'pypi:acme-lib@3.0 was never submitted for review; approved: 1.0'],
    [path('1.0', 'acme_lib-1.0-cp312-abi3.whl'), 'is none of the files of pypi:acme-lib@1.0'],
  ])('%s is refused', async (asked, why) => {
    const answer = await ask(asked);

    expect(answer.status).toBe(403);
    const { code, error } = (await answer.json()) as { code: string; error: string };
    expect(code).toBe('not_approved');
    expect(error).toContain(why);
  });
});

it.each(['simple/', 'simple', 'files/acme-lib/1.0', 'simple/a/b/', 'other/x', 'simple/%00/'])(
  'nothing is served at %s',
  async (path) => {
    expect((await askJson(path)).status).toBe(404);
  },
);

it('asks nothing of the origin on the way of a request', async () => {
  const before = origin.requests.length;

  await askJson('simple/acme-lib/');
  await ask(`files/acme-lib/1.0/${wheel('1.0')}`);

  expect(origin.requests.length).toBe(before);
});
