import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startOriginServer, type OriginServer as Upstream } from '../../support/origin-server.ts';
import { openKeptAnswers } from './kept-answers.ts';
import { type OriginServer, startOrigin } from './origin.ts';

const abbreviated = 'application/vnd.npm.install-v1+json';

let folder: string;
let upstream: Upstream;
let origins: OriginServer[];

const start = async (): Promise<OriginServer> => {
  const addresses = {
    npm: `${upstream.url}/one/`,
    pypi: `${upstream.url}/two/`,
    maven: `${upstream.url}/three/`,
  };
  const origin = await startOrigin({
    upstream: addresses,
    kept: openKeptAnswers(folder),
    delayMs: 0,
  });
  origins.push(origin);
  return origin;
};

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'bench-origin-test-'));
  upstream = await startOriginServer();
  origins = [];
});
afterEach(async () => {
  for (const origin of origins) origin.close();
  await upstream.close();
  rmSync(folder, { recursive: true });
});

it('replays index pages with its own addresses, and asks upstream once, also in a later run', async () => {
  const tarball = 'a/-/a-1.0.0.tgz';
  upstream.serve('/one/a', { body: { dist: { tarball: `${upstream.url}/one/${tarball}` } } });
  upstream.serve(`/one/${tarball}`, {
    body: Buffer.from([0, 255, 10, 7]),
    headers: { 'Content-Type': 'application/octet-stream' },
  });

  for (const origin of [await start(), await start()]) {
    const page = await fetch(`${origin.addresses.npm}a`, {
      headers: { accept: `${abbreviated}; q=1.0, */*` },
    });
    expect(await page.json()).toEqual({ dist: { tarball: `${origin.addresses.npm}${tarball}` } });
    const file = await fetch(`${origin.addresses.npm}${tarball}`);
    expect(Buffer.from(await file.arrayBuffer())).toEqual(Buffer.from([0, 255, 10, 7]));
    expect(origin.takeRequests()).toEqual(['/npm/a', `/npm/${tarball}`]);
    expect(origin.takeRequests()).toEqual([]);
  }
  expect(upstream.requests.map(({ path }) => path)).toEqual(['/one/a', `/one/${tarball}`]);
});

it('serves hosts of files only after an index page has named them', async () => {
  const page = {
    files: [{ url: 'https://files.example.com/a/a-1.0.0.whl' }],
    home: 'https://a.example/',
  };
  upstream.serve('/two/simple/a/', { body: page });
  const origin = await start();

  const before = await fetch(`${origin.url}/at/files.example.com/a`);
  const answer = await fetch(`${origin.addresses.pypi}simple/a/`);

  expect(before.status).toBe(404);
  expect(await answer.json()).toEqual({
    files: [{ url: `${origin.url}/at/files.example.com/a/a-1.0.0.whl` }],
    home: 'https://a.example/',
  });
});

it('keeps the answer that something is missing, and no failure', async () => {
  upstream.serve('/three/a', { status: 503 }, { status: 503 }, { status: 503 }, { body: 'text' });
  const origin = await start();
  const ask = async (path: string) => (await fetch(`${origin.addresses.maven}${path}`)).status;

  expect([await ask('missing'), await ask('missing')]).toEqual([404, 404]);
  expect([await ask('a'), await ask('a'), await ask('a')]).toEqual([502, 200, 200]);
  expect(upstream.requests).toHaveLength(5);
});

it('answers a conditional request without a body', async () => {
  upstream.serve('/one/a', { body: {}, headers: { ETag: '"1"' } });
  const origin = await start();
  const ask = async (tag: string) =>
    (await fetch(`${origin.addresses.npm}a`, { headers: { 'If-None-Match': tag } })).status;

  expect([await ask('"0"'), await ask('"1"')]).toEqual([200, 304]);
});
