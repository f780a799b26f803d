import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allRoutes } from '../../shared/routes.ts';
import { TestRegistry } from '../support/registry.ts';

let registry: TestRegistry;

beforeAll(async () => {
  registry = await TestRegistry.start();
});
afterAll(() => registry.close());

const ask = (init: RequestInit = {}, query = ''): Promise<Response> =>
  fetch(`${registry.url}/openapi.json${query}`, init);

describe('GET /openapi.json', () => {
  it('describes every endpoint, at the address by which it was asked', async () => {
    const response = await ask();
    const document = (await response.json()) as {
      servers: unknown;
      paths: Record<string, object>;
    };

    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(document.servers).toEqual([{ url: registry.url }]);
    for (const { path, method } of allRoutes) {
      expect(document.paths[path]).toHaveProperty(method.toLowerCase());
    }
  });

  it('ignores parameters that it does not know', async () => {
    const { status } = await ask({}, '?version=2&cache=1');

    expect(status).toBe(200);
  });

  it('answers HEAD with the same headers, and no body', async () => {
    const [get, head] = await Promise.all([ask(), ask({ method: 'HEAD' })]);

    expect(head.status).toBe(200);
    expect(await head.text()).toBe('');
    for (const name of ['content-type', 'content-length', 'etag', 'cache-control']) {
      expect(head.headers.get(name)).toBe(get.headers.get(name));
    }
  });

  it.each(['{tag}', 'W/{tag}', '"other", {tag}', '*'])(
    'is not sent again to who has it: If-None-Match: %s',
    async (template) => {
      const { headers } = await ask();
      const tag = headers.get('etag') ?? '';

      const again = await ask({ headers: { 'If-None-Match': template.replace('{tag}', tag) } });

      expect(again.status).toBe(304);
      expect(again.headers.get('etag')).toBe(tag);
      expect(await again.text()).toBe('');
    },
  );

  it('is sent to who has another one', async () => {
    const { status } = await ask({ headers: { 'If-None-Match': '"other"' } });

    expect(status).toBe(200);
  });

  it.each(['POST', 'PUT', 'DELETE', 'PATCH'])('is not there for %s', async (method) => {
    const { status, body } = await registry.send(method, '/openapi.json');

    expect(status).toBe(404);
    expect(body.code).toBe('route_not_found');
  });
});
