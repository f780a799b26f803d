import { createHash } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type OciRegistry, startOciRegistry } from './oci-registry.ts';
import { imageTypes } from './oci-store.ts';

let registry: OciRegistry;
let digest: string;

const path = '/v2/shop/manifests/latest';

beforeEach(async () => {
  registry = await startOciRegistry({ pageSize: 1 });
  digest = registry.pushImage('shop', { tag: 'latest' });
});
afterEach(() => registry.close());

const get = (init: RequestInit = {}, from = path) => fetch(`${registry.url}${from}`, init);

const digestOf = (bytes: Uint8Array): string =>
  `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

it('another status occurs as often as it should, and then the truth', async () => {
  const headers = { 'Retry-After': '1' };
  registry.setFault(path, { status: 429, headers, body: 'slow down', times: 2 });

  for (let time = 0; time < 2; time += 1) {
    const response = await get();
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '1']);
    expect(await response.text()).toBe('slow down');
  }
  expect((await get()).status).toBe(200);
});

it('a fault lasts until it is taken away, on its paths alone', async () => {
  registry.setFault(/manifests/, { status: 500 });

  expect((await get()).status).toBe(500);
  expect((await get()).status).toBe(500);
  expect((await get({}, '/v2/shop/tags/list')).status).toBe(200);
  registry.setFault(/manifests/, undefined);
  expect((await get()).status).toBe(200);
});

it('a path has its fault with any query', async () => {
  registry.setFault('/v2/shop/tags/list', { status: 503 });

  expect((await get({}, '/v2/shop/tags/list?n=1')).status).toBe(503);
  expect((await get({}, '/v2/shop/tags/list/x')).status).toBe(404);
});

it('a redirect leads anywhere', async () => {
  registry.setFault(path, { redirect: 'http://169.254.169.254/latest' });

  const response = await get({ redirect: 'manual' });

  expect(response.status).toBe(307);
  expect(response.headers.get('location')).toBe('http://169.254.169.254/latest');
});

it('a realm is anywhere', async () => {
  registry.setFault(path, { hostileRealm: 'file:///etc/passwd' });

  const { status, headers } = await get();

  expect(status).toBe(401);
  expect(headers.get('www-authenticate')).toContain('realm="file:///etc/passwd"');
});

it('a huge answer does not end', async () => {
  registry.setFault(path, 'huge');

  const { body, headers } = await get();
  expect(headers.get('content-type')).toBe(imageTypes.oci.manifest);
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > 5_000_000) break;
  }
  expect(size).toBeGreaterThan(5_000_000);
});

/** Returns true if nothing comes of a promise while the registry answers later requests. */
const isPending = async (promise: Promise<unknown>): Promise<boolean> => {
  let isSettled = false;
  promise.then(() => {
    isSettled = true;
  });
  for (let time = 0; time < 5; time += 1) await get({}, '/v2/');
  return !isSettled;
};

it('a slow answer has headers alone', async () => {
  registry.setFault(path, 'slow');
  const controller = new AbortController();

  const response = await get({ signal: controller.signal });
  const body = response.text().catch(({ name }: Error) => name);
  expect(response.status).toBe(200);
  expect(await isPending(body)).toBe(true);
  controller.abort();
  expect(await body).toBe('AbortError');
});

it('a silent registry sends nothing', async () => {
  registry.setFault(path, 'silent');
  const controller = new AbortController();

  const answer = get({ signal: controller.signal }).catch(({ name }: Error) => name);
  expect(await isPending(answer)).toBe(true);
  expect(registry.requests[0]?.path).toBe(path);
  controller.abort();
  expect(await answer).toBe('AbortError');
});

it('a truncated answer ends before its length', async () => {
  registry.setFault(path, 'truncated');

  const response = await get();
  expect(Number(response.headers.get('content-length'))).toBeGreaterThan(100);
  await expect(response.text()).rejects.toThrow('terminated');
});

it('a digest in the header is that of other bytes', async () => {
  registry.setFault(path, 'wrongDigestHeader');

  for (const method of ['GET', 'HEAD']) {
    const response = await get({ method });
    expect(response.headers.get('docker-content-digest')).toBe(`sha256:${'0'.repeat(64)}`);
  }
  expect(digestOf(await (await get()).bytes())).toBe(digest);
});

it('the bytes are other ones than the digest says, and still a manifest', async () => {
  registry.setFault(path, 'wrongBytes');

  const response = await get();
  const bytes = await response.bytes();
  expect(response.headers.get('docker-content-digest')).toBe(digest);
  expect(digestOf(bytes)).not.toBe(digest);
  expect(JSON.parse(Buffer.from(bytes).toString())).toMatchObject({ schemaVersion: 2 });
});

it('the answer is a web page', async () => {
  registry.setFault(path, 'wrongType');

  const response = await get();
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html']);
  expect(await response.text()).toMatch(/^<html>/);
});

it('the next page is this one', async () => {
  const tags = '/v2/shop/tags/list';
  registry.setFault(tags, 'endlessPages');

  const response = await get({}, `${tags}?n=1`);
  expect(response.headers.get('link')).toBe(`<${tags}?n=1>; rel="next"`);
  expect(await response.json()).toEqual({ name: 'shop', tags: ['latest'] });
});

it('any other fault is a function', async () => {
  registry.setFault(path, (_request, response) => void response.writeHead(418).end());

  expect((await get()).status).toBe(418);
});
