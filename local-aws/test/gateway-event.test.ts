import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startTestGateway, type TestGateway } from './fixture/gateway.ts';

let gateway: TestGateway;

beforeEach(async () => {
  gateway = await startTestGateway();
});

afterEach(() => gateway.server.close());

describe('the event', () => {
  it.each([
    ['/things/a%2Fb', 'a%2Fb'],
    ['/things/%40scope%2fname', '%40scope%2fname'],
    ['/things/a+b', 'a+b'],
    ['/things/caf%C3%A9', 'caf%C3%A9'],
    ['/things/%', '%'],
  ])('leaves the path %s encoded', async (path, name) => {
    const event = await gateway.sendForEvent({ path: `${path}?q=1` });

    expect(event).toMatchObject({ path, resource: '/things/{name}', pathParameters: { name } });
    expect(event.requestContext).toMatchObject({
      path,
      resourcePath: '/things/{name}',
      stage: 'live',
    });
  });

  it.each<[string, Record<string, string[]> | null]>([
    ['', null],
    ['?', null],
    ['?a=1', { a: ['1'] }],
    ['?a=1&a=2', { a: ['1', '2'] }],
    ['?a=x+y', { a: ['x y'] }],
    ['?a=x%2By', { a: ['x+y'] }],
    ['?a%5B%5D=%C3%A9', { 'a[]': ['é'] }],
    ['?a', { a: [''] }],
    ['?a=&b==c', { a: [''], b: ['=c'] }],
    ['?&a=1&&', { a: ['1'] }],
    ['?a=%zz', { a: ['%zz'] }],
    ['?a=1?b', { a: ['1?b'] }],
    ['?__proto__=1', Object.fromEntries([['__proto__', ['1']]])],
  ])('decodes the query "%s"', async (query, values) => {
    const event = await gateway.sendForEvent({ path: `/${query}` });
    const single = values && Object.entries(values).map(([name, all]) => [name, all.at(-1)]);

    expect(event.multiValueQueryStringParameters).toEqual(values);
    expect(event.queryStringParameters).toEqual(single && Object.fromEntries(single));
  });

  it('keeps names of headers as sent, and every value', async () => {
    const event = await gateway.sendForEvent({
      headerLines: ['X-Api-Key', 'a', 'X-Api-Key', 'b', 'x-lower', 'c'],
    });

    expect(event.headers).toMatchObject({ 'X-Api-Key': 'b', 'x-lower': 'c' });
    expect(event.multiValueHeaders).toMatchObject({ 'X-Api-Key': ['a', 'b'], 'x-lower': ['c'] });
  });

  it('keeps headers whose names differ only in case apart', async () => {
    const event = await gateway.sendForEvent({ headerLines: ['X-Key', 'a', 'x-key', 'b'] });

    expect(event.multiValueHeaders).toMatchObject({ 'X-Key': ['a'], 'x-key': ['b'] });
  });

  it('has the host, and what API Gateway adds, but nothing about the connection', async () => {
    const event = await gateway.sendForEvent({
      headerLines: ['Connection', 'close', 'TE', 'trailers', 'X-Forwarded-For', '203.0.113.7'],
    });

    expect(event.headers).toMatchObject({
      Host: new URL(gateway.server.url).host,
      'X-Forwarded-For': '203.0.113.7, 127.0.0.1',
      'X-Forwarded-Port': String(gateway.server.port),
      'X-Forwarded-Proto': 'http',
    });
    expect(Object.keys(event.headers)).not.toContain('Connection');
    expect(Object.keys(event.headers)).not.toContain('TE');
  });

  it.each([
    ['no body', undefined, 'application/json', null, false],
    ['an empty body', '', 'application/json', null, false],
    ['text', '{"é":1}', 'application/json', '{"é":1}', false],
    ['bytes of a binary type', Buffer.from([0, 255]), 'image/png', 'AP8=', true],
    ['bytes of another type', Buffer.from([0xff, 0x41]), 'application/x', '\ufffdA', false],
  ])('carries %s', async (_, sent, type, body, isBase64Encoded) => {
    const event = await gateway.sendForEvent({
      method: 'POST',
      path: '/things',
      headerLines: ['Content-Type', type],
      ...(sent !== undefined && { body: sent }),
    });

    expect(event).toMatchObject({ body, isBase64Encoded });
  });

  it('is known by the request id of the answer', async () => {
    const { headers } = await gateway.send();

    expect(gateway.events[0]?.requestContext.requestId).toBe(headers['x-amzn-requestid']);
  });

  it.each(['/things/a/', 'http://elsewhere/things/a/', '//things/a/'])(
    'keeps the slash at the end of %s',
    async (path) => {
      const event = await gateway.sendForEvent({ path });

      expect(event).toMatchObject({ path: '/things/a/', pathParameters: { name: 'a' } });
    },
  );
});

describe('a body', () => {
  const limit = 10 * 1024 * 1024;
  const post = { method: 'POST', path: '/things' };

  it('of 10 MB reaches the function', async () => {
    const event = await gateway.sendForEvent({ ...post, body: Buffer.alloc(limit, 'a') });

    expect(event.body).toHaveLength(limit);
  });

  it.each([
    ['its length', {}],
    ['chunks', { headerLines: ['Transfer-Encoding', 'chunked'] }],
  ])('of more than 10 MB, told by %s, gets the plain 413', async (_, headers) => {
    const received = await gateway.send({
      ...post,
      ...headers,
      body: Buffer.alloc(limit + 1, 'a'),
    });

    expect(received).toMatchObject({ status: 413, body: '{"message":"Request Too Long"}' });
    expect(gateway.events).toEqual([]);
  });
});
