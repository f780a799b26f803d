import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { methods, startTestGateway, type TestGateway } from './fixture/gateway.ts';
import { sendBytes } from './fixture/http.ts';

let gateway: TestGateway;

beforeEach(async () => {
  gateway = await startTestGateway();
});

afterEach(() => gateway.server.close());

describe('a greedy path', () => {
  it.each([
    ['/files/a', 'a'],
    ['/files/a/b/c', 'a/b/c'],
    ['/files/a%2Fb/%40c', 'a%2Fb/%40c'],
    ['/files/a+b/%zz', 'a+b/%zz'],
    ['/files/a//b', 'a//b'],
    ['/files/a/b/', 'a/b'],
    ['/files/a/meta/b', 'a/meta/b'],
    ['/files/index/b', 'index/b'],
  ])('takes all of %s, slashes and encoding kept', async (path, value) => {
    const event = await gateway.sendForEvent({ path: `${path}?q=1` });

    expect(event).toMatchObject({
      path,
      resource: '/files/{path+}',
      pathParameters: { path: value },
      requestContext: { path, resourcePath: '/files/{path+}' },
    });
  });

  it.each([
    ['/files/index', '/files/index', null],
    ['/files/a/meta', '/files/{name}/meta', { name: 'a' }],
    ['/files/index/meta', '/files/{name}/meta', { name: 'index' }],
  ])('leaves %s to the more specific %s', async (path, resource, pathParameters) => {
    const event = await gateway.sendForEvent({ path });

    expect(event).toMatchObject({ resource, pathParameters });
  });

  it.each(['/files', '/files/', '/files//'])(
    'does not take %s, of which nothing is left',
    async (path) => {
      const { status } = await gateway.send({ path });

      expect(status).toBe(403);
      expect(gateway.events).toEqual([]);
    },
  );

  it('does not take what a more specific path refuses by its method', async () => {
    const { status } = await gateway.send({ method: 'HEAD', path: '/files/index' });

    expect(status).toBe(403);
  });
});

describe('HEAD', () => {
  const answer = { statusCode: 200, headers: { 'X-A': '1' }, body: 'twelve bytes' };
  const head = (path: string): Promise<string> =>
    sendBytes(gateway.server.url, [`HEAD ${path} HTTP/1.1`]);

  it.each([
    ['a method of its own', '/files/a'],
    ['ANY', '/anything'],
  ])('is answered by %s, with the length and without the body', async (_, path) => {
    gateway.answer = async () => answer;

    const received = await head(path);

    expect(gateway.events).toMatchObject([{ httpMethod: 'HEAD', path }]);
    expect(received).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(received).toMatch(/\r\ncontent-length: 12\r\n/i);
    expect(received).toMatch(/\r\nx-a: 1\r\n/i);
    expect(received).toMatch(/\r\n\r\n$/);
  });

  it('is refused where only GET is declared, without a body either', async () => {
    const received = await head('/things/a');

    expect(received).toMatch(/^HTTP\/1\.1 403 Forbidden\r\n/);
    expect(received).toMatch(/\r\ncontent-length: 42\r\n/i);
    expect(received).toMatch(/\r\n\r\n$/);
    expect(gateway.events).toEqual([]);
  });
});

describe('a method', () => {
  it.each(methods)('%s reaches its function where it is declared', async (method) => {
    const event = await gateway.sendForEvent({ method, path: '/methods' });

    expect(event.httpMethod).toBe(method);
    expect(event.requestContext.resourceId).toBe(`${method} /methods`);
  });

  it.each(methods)('%s reaches the function of ANY', async (method) => {
    const event = await gateway.sendForEvent({ method, path: '/anything' });

    expect(event.httpMethod).toBe(method);
    expect(event.requestContext.resourceId).toBe('ANY /anything');
  });

  it.each(['DELETE', 'PUT', 'PATCH', 'OPTIONS', 'HEAD'])(
    '%s is refused where it is not declared',
    async (method) => {
      const { status } = await gateway.send({ method, path: '/things/a' });

      expect(status).toBe(403);
      expect(gateway.events).toEqual([]);
    },
  );

  it.each(['DELETE', 'PUT', 'PATCH'])('%s carries a body', async (method) => {
    const event = await gateway.sendForEvent({ method, path: '/methods', body: '{"a":1}' });

    expect(event.body).toBe('{"a":1}');
  });
});

describe('an answer that has no body by its status', () => {
  it.each([204, 304])('of %i states no length', async (statusCode) => {
    gateway.answer = async () => ({ statusCode, headers: { ETag: '"a"' } });

    const { status, headers, body } = await gateway.send();

    expect({ status, body }).toEqual({ status: statusCode, body: '' });
    expect(headers).toMatchObject({ etag: '"a"' });
    expect(headers['content-length']).toBeUndefined();
  });
});
