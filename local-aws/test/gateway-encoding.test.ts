import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { api, startTestGateway, type TestGateway } from './fixture/gateway.ts';

let gateway: TestGateway;

beforeEach(async () => {
  gateway = await startTestGateway({ api: { ...api, minimumCompressionSize: 100 } });
});

afterEach(() => gateway.server.close());

const post = (encoding: string, body: Buffer) =>
  gateway.send({
    method: 'POST',
    path: '/things',
    headerLines: ['Content-Type', 'application/json', 'Content-Encoding', encoding],
    body,
  });

describe('a body with a content encoding', () => {
  it.each([
    ['gzip', gzipSync('{"a": "ü"}')],
    ['GZIP', gzipSync('{"a": "ü"}')],
    ['deflate', deflateSync('{"a": "ü"}')],
    ['identity', Buffer.from('{"a": "ü"}')],
  ])('reaches the function decoded, with its header: %s', async (encoding, body) => {
    const { status } = await post(encoding, body);

    expect(status).toBe(200);
    expect(gateway.events[0]).toMatchObject({ body: '{"a": "ü"}', isBase64Encoded: false });
    expect(gateway.events[0]?.headers['Content-Encoding']).toBe(encoding);
  });

  it.each([
    ['br', brotliCompressSync('{}')],
    ['gzip, gzip', gzipSync(gzipSync('{}'))],
    ['gzip', Buffer.from('{}')],
    ['gzip', gzipSync('{}').subarray(0, 12)],
  ])('is refused where it is not understood: %s', async (encoding, body) => {
    const { status } = await post(encoding, body);

    expect(status).toBe(415);
    expect(gateway.events).toEqual([]);
  });

  it('is refused where it unpacks to more than a body may have', async () => {
    const { status } = await post('gzip', gzipSync(Buffer.alloc(11 * 1024 * 1024)));

    expect(status).toBe(413);
    expect(gateway.events).toEqual([]);
  });
});

describe('an answer', () => {
  const long = 'x'.repeat(100);

  const ask = async (accepted: string | undefined, result: object) => {
    gateway.answer = async () => result;
    const headerLines = accepted === undefined ? [] : ['Accept-Encoding', accepted];
    const { headers, body } = await gateway.send({ headerLines });
    return { encoding: headers['content-encoding'], length: headers['content-length'], body };
  };

  it.each(['gzip', 'gzip, deflate, br', 'br;q=0.5, GZIP', 'br;q=0, gzip'])(
    'is compressed for a client that wants it: %s',
    async (accepted) => {
      const { encoding, length } = await ask(accepted, { body: long });

      expect(encoding).toBe('gzip');
      expect(length).toBe(String(gzipSync(long).length));
    },
  );

  it.each<[string, string | undefined, object]>([
    ['nothing is said', undefined, { body: long }],
    ['anything will do', '*', { body: long }],
    ['another encoding is liked best', 'br, gzip', { body: long }],
    ['it is not wanted', 'gzip;q=0', { body: long }],
    ['it is small', 'gzip', { body: long.slice(1) }],
  ])('is left as it is where %s', async (_, accepted, result) => {
    const { encoding, body } = await ask(accepted, result);

    expect(encoding).toBeUndefined();
    expect(body).toMatch(/^x+$/);
  });

  it('is left alone where the function has encoded it', async () => {
    const { encoding, body } = await ask('gzip', {
      body: long,
      headers: { 'Content-Encoding': 'identity' },
    });

    expect([encoding, body]).toEqual(['identity', long]);
  });

  it('is never compressed by an API that has no minimum', async () => {
    await gateway.server.close();
    gateway = await startTestGateway();

    expect((await ask('gzip', { body: long })).encoding).toBeUndefined();
  });

  it('unpacks to what the function said', async () => {
    gateway.answer = async () => ({ body: long });

    const response = await fetch(gateway.server.url, { headers: { 'Accept-Encoding': 'gzip' } });

    expect(await response.text()).toBe(long);
  });
});
