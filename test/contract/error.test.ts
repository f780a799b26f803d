import { request as httpRequest } from 'node:http';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packagePath, TestRegistry } from '../support/registry.ts';

describe('an error', () => {
  let registry: TestRegistry;

  beforeAll(async () => {
    registry = await TestRegistry.start();
  });
  afterAll(() => registry.close());

  it('returns a problem document with a code and the request id', async () => {
    const { headers, body } = await registry.get(packagePath('unknown'));

    expect(headers.get('content-type')).toBe('application/problem+json');
    expect(body).toEqual({
      type: 'urn:problem-type:package-registry:package_not_found',
      title: 'No such package',
      status: 404,
      detail: 'There is no package unknown in the registry.',
      code: 'package_not_found',
      request_id: headers.get('x-amzn-requestid'),
    });
  });

  it.each([
    ['GET', '/nowhere'],
    ['GET', '/api/v2/packages'],
    ['GET', '/api/v1'],
    ['DELETE', '/api/v1/packages'],
    ['PUT', packagePath('x')],
    ['POST', packagePath('x', '/publish')],
    ['OPTIONS', '/api/v1/packages'],
  ])('returns 404 for an unknown route: %s %s', async (method, path) => {
    const { status, body } = await registry.send(method, path);

    expect(status).toBe(404);
    expect(body).toMatchObject({ code: 'route_not_found', request_id: expect.any(String) });
  });

  it('returns 404 for an unknown route with an Authorization header', async () => {
    const { status } = await registry.get('/nowhere', { headers: { Authorization: 'Bearer x' } });

    expect(status).toBe(404);
  });

  it.each<[string, string | Buffer, string]>([
    ['half a document', '{"name": "x"', 'malformed_body'],
    ['no JSON', 'name=x', 'malformed_body'],
    ['a byte order mark', '\ufeff{}', 'malformed_body'],
    ['a prototype', '{"__proto__": {"status": "approved"}}', 'validation_failed'],
    ['a key twice', '{"name": "a", "name": "b"}', 'validation_failed'],
    ['other bytes than UTF-8', Buffer.from('{"name": "\u00fc"}', 'latin1'), 'malformed_body'],
    ['an array', '[]', 'validation_failed'],
    ['a string', '"x"', 'validation_failed'],
    ['null', 'null', 'validation_failed'],
    ['nesting over 32 levels', `${'['.repeat(33)}${']'.repeat(33)}`, 'validation_failed'],
    ['over 64 KiB', JSON.stringify({ description: 'x'.repeat(65_536) }), 'body_too_large'],
    [
      'over 64 KiB of other letters',
      JSON.stringify({ description: 'ü'.repeat(32_768) }),
      'body_too_large',
    ],
  ])('returns 400 for a body that is %s', async (_, body, code) => {
    const { status, body: problem } = await registry.post('/api/v1/packages', body);

    expect(status).toBe(400);
    expect(problem.code).toBe(code);
    expect(problem.errors[0].path).toBe('body');
  });

  const everyField = Object.fromEntries(
    Array.from({ length: 4000 }, (_, at) => [`unknown-${at}`, at]),
  );
  const query = Array.from({ length: 900 }, (_, at) => `x${at}=`).join('&');

  it.each<[string, string, string, unknown]>([
    ['many unknown parameters', 'GET', `/api/v1/packages?${query}`, undefined],
    ['many repeated parameters', 'GET', `/api/v1/packages?${query}&${query}`, undefined],
    ['an endless version', 'GET', `/api/v1/packages/x?version=${'%00'.repeat(2500)}`, undefined],
    ['an endless name', 'GET', `/api/v1/packages/${'%01'.repeat(2500)}`, undefined],
    ['an endless license', 'GET', `/api/v1/licenses/${'%01'.repeat(2500)}`, undefined],
    ['many unknown fields', 'POST', '/api/v1/packages', everyField],
    ['an endless field', 'POST', '/api/v1/packages', { ['\u0001'.repeat(9000)]: 1 }],
    [
      'many wrong names',
      'PUT',
      '/api/v1/licenses/Acme',
      { status: null, category: 'unknown', compatible_with: Array(499).fill(7) },
    ],
  ])('returns a small answer for %s', async (_, method, path, body) => {
    const answer = await registry.send(method, path, { body });

    expect([400, 404]).toContain(answer.status);
    expect(Buffer.byteLength(JSON.stringify(answer.body))).toBeLessThanOrEqual(8192);
    expect(answer.body.errors?.length ?? 0).toBeLessThanOrEqual(12);
  });

  it('ignores brackets inside strings', async () => {
    const description = `${'['.repeat(100)} \\" ${'{'.repeat(100)}`;

    const { status } = await registry.post('/api/v1/packages', {
      ecosystem: 'npm',
      name: 'brackets',
      version: '1.0.0',
      description,
    });

    expect(status).toBe(201);
  });

  it('returns 400 for a missing body', async () => {
    const { status, body } = await registry.send('POST', '/api/v1/packages');

    expect(status).toBe(400);
    expect(body.errors).toEqual([{ path: 'body', message: 'is required: send a JSON object' }]);
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/jsonx', ''])(
    'returns 400 for the content type %j',
    async (contentType) => {
      const { status, body } = await registry.post('/api/v1/packages', '{}', {
        headers: { 'Content-Type': contentType },
      });

      expect(status).toBe(400);
      expect(body.errors[0].path).toBe('Content-Type');
    },
  );

  it.each(['application/json; charset=utf-8', 'APPLICATION/JSON', 'application/merge-patch+json'])(
    'accepts the content type %s',
    async (contentType) => {
      const { body } = await registry.post('/api/v1/packages', '{}', {
        headers: { 'Content-Type': contentType },
      });

      expect(body.errors[0].path).not.toBe('Content-Type');
    },
  );

  const submission = { ecosystem: 'npm', name: 'compressed', version: '1.0.0' };

  it.each<[string, (text: string) => Buffer, Record<string, string>]>([
    ['gzip', gzipSync, { 'Content-Encoding': 'gzip' }],
    ['deflate', deflateSync, { 'Content-Encoding': 'deflate' }],
    ['gzip that says nothing', gzipSync, {}],
  ])('accepts a body in %s', async (name, compress, headers) => {
    const version = `1.0.${name.length}`;

    const { status } = await registry.post(
      '/api/v1/packages',
      compress(JSON.stringify({ ...submission, version })),
      { headers },
    );

    expect(status).toBe(201);
  });

  it.each<[string, string, Buffer, number, string]>([
    ['an unknown encoding', 'br', brotliCompressSync('{}'), 400, 'Content-Encoding'],
    ['another encoding than it says', 'gzip', Buffer.from('{}'), 400, 'Content-Encoding'],
    ['a bomb', 'gzip', gzipSync(Buffer.alloc(64 * 1024 * 1024)), 413, 'larger'],
    ['more than 64 KiB in gzip', 'gzip', gzipSync(Buffer.alloc(65_537)), 400, '65536 bytes'],
  ])('reports a wrong body in %s', async (_, encoding, body, status, detail) => {
    const answer = await registry.post('/api/v1/packages', body, {
      headers: { 'Content-Encoding': encoding },
    });

    expect(answer.status).toBe(status);
    expect(answer.body.detail).toContain(detail);
  });

  it.each(['approve', 'reject'])(
    'refuses the request of a browser on another site to %s',
    async (decision) => {
      const name = `elsewhere-${decision}`;
      await registry.submit({ ...submission, name });
      const path = packagePath(name, `/${decision}`);

      const refused = await registry.send('POST', path, {
        headers: { Origin: 'https://evil.example' },
      });
      const own = await registry.send('POST', path, { headers: { Origin: registry.url } });

      expect(refused.status).toBe(400);
      expect(refused.body.errors[0].path).toBe('Content-Type');
      expect(own.status).toBe(200);
    },
  );

  it("returns the gateway's own 413 for a body over 10 MB", async () => {
    const status = await new Promise((resolve, reject) => {
      const sent = httpRequest(
        `${registry.url}/api/v1/packages`,
        { method: 'POST', headers: { 'Content-Type': 'application/json' } },
        (response) => {
          response.resume();
          resolve(response.statusCode);
        },
      );
      sent.on('error', reject);
      sent.end(Buffer.alloc(10 * 1024 * 1024 + 1, 'x'));
    });

    expect(status).toBe(413);
  });

  it("returns the registry's 413 for a body over Lambda's 6 MB", async () => {
    const { status, body } = await registry.post('/api/v1/packages', 'x'.repeat(7 * 1024 * 1024));

    expect(status).toBe(413);
    expect(body.code).toBe('request_too_large');
  });

  it('forbids caching and content sniffing of every answer', async () => {
    for (const path of ['/api/v1/packages', packagePath('unknown'), '/nowhere']) {
      const { headers } = await registry.get(path);

      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    }
  });
});
