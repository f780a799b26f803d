import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { GatewayOptions } from '../src/gateway/gateway.ts';
import { InvocationError, RequestTooLargeError } from '../src/lambda/messages.ts';
import { api, startTestGateway, type TestGateway } from './fixture/gateway.ts';
import type { Sent } from './fixture/http.ts';

let gateway: TestGateway;

beforeEach(async () => {
  gateway = await startTestGateway();
});

afterEach(() => gateway.server.close());

const restart = async (options: Partial<GatewayOptions>): Promise<void> => {
  await gateway.server.close();
  gateway = await startTestGateway(options);
};

describe('a refusal', () => {
  it.each<[string, Sent, number, string]>([
    ['of an unknown path', { path: '/nothing' }, 403, 'Missing Authentication Token'],
    ['of an unknown method', { method: 'DELETE' }, 403, 'Missing Authentication Token'],
    ['of HEAD', { method: 'HEAD' }, 403, ''],
    [
      'of an unknown path with a signature',
      { path: '/nothing', headerLines: ['Authorization', 'Bearer x'] },
      403,
      'Credential',
    ],
    ['of what API Gateway may not invoke', { path: '/forbidden' }, 500, 'Internal server error'],
  ])('%s is API Gateway’s own', async (_, request, status, message) => {
    const received = await gateway.send(request);

    expect(received.status).toBe(status);
    expect(received.headers['content-type']).toBe('application/json');
    expect(received.body).toContain(message);
    expect(gateway.events).toEqual([]);
  });

  it.each(['attacker.example', 'localhost.attacker.example:3000', '192.0.2.1', '127.0.0.1.nip.io'])(
    'of another machine’s name is from before the API: %s',
    async (host) => {
      const { status, body } = await gateway.send({ headerLines: ['Host', host] });

      expect([status, body]).toEqual([403, '{"message":"Forbidden"}']);
      expect(gateway.events).toEqual([]);
    },
  );

  it.each(['localhost', 'LOCALHOST:3000', 'registry.localhost', '127.0.0.1:1', '[::1]:3000'])(
    'does not come to what asks by a name of this machine: %s',
    async (host) => {
      await gateway.send({ headerLines: ['Host', host] });

      expect(gateway.events).toHaveLength(1);
    },
  );

  it('of too many requests is 429', async () => {
    const first = await gateway.send({ path: '/limited' });
    const second = await gateway.send({ path: '/limited' });

    expect([first.status, second.status]).toEqual([200, 429]);
    expect(second.body).toBe('{"message":"Too Many Requests"}');
  });

  it.each<[string, () => Promise<unknown>, string]>([
    [
      'failed',
      () => Promise.reject(new InvocationError({ errorType: 'E', errorMessage: 'm' })),
      'E: m',
    ],
    ['answered with text', async () => 'text', 'Malformed'],
    ['answered with nothing', async () => null, 'Malformed'],
    ['answered with a field too many', async () => ({ statusCode: 200, cookies: [] }), 'cookies'],
    ['answered with a body that is no text', async () => ({ body: { a: 1 } }), 'body'],
    ['answered with a header that is no text', async () => ({ headers: { a: 1 } }), 'headers'],
    [
      'answered with a header on two lines',
      async () => ({ headers: { a: 'b\r\nc: d' } }),
      'header',
    ],
    ['answered with an impossible status', async () => ({ statusCode: 'abc' }), 'statusCode'],
  ])('follows a function that %s, and only the access log says why', async (_, given, why) => {
    gateway.answer = given;

    const received = await gateway.send();

    expect(received).toMatchObject({ status: 502, body: '{"message":"Internal server error"}' });
    expect(JSON.parse(gateway.accessLog[0] ?? '')).toMatchObject({
      type: 'DEFAULT_5XX',
      status: '502',
      path: '/',
      why: expect.stringContaining(why),
      none: '-',
    });
  });

  it('follows a function that takes too long', async () => {
    await restart({ integrationTimeoutMs: 20 });
    gateway.answer = () => new Promise(() => undefined);

    const received = await gateway.send();

    expect(received).toMatchObject({
      status: 504,
      body: '{"message":"Endpoint request timed out"}',
    });
  });

  it('follows an event that is too large for a function', async () => {
    gateway.answer = () => Promise.reject(new RequestTooLargeError());

    const received = await gateway.send();

    expect(received).toMatchObject({ status: 413, body: '{"message":"Request Too Long"}' });
  });

  it('writes no access log for what a function answered', async () => {
    gateway.answer = async () => ({ statusCode: 500 });

    await gateway.send();

    expect(gateway.accessLog).toEqual([]);
  });
});

describe('a gateway response', () => {
  const custom = {
    statusCode: 404,
    headers: { 'Content-Type': "'application/problem+json'", 'X-Id': 'context.requestId' },
    templates: {
      'application/json':
        '{"id":"$context.requestId","m":$context.error.messageString,"t":"$context.error.responseType"}',
    },
  };

  it('shapes the refusals of its type', async () => {
    await restart({ api: { ...api, gatewayResponses: { MISSING_AUTHENTICATION_TOKEN: custom } } });

    const { status, headers, body } = await gateway.send({ path: '/nothing' });

    expect(status).toBe(404);
    expect(headers).toMatchObject({
      'content-type': 'application/problem+json',
      'x-id': headers['x-amzn-requestid'],
    });
    expect(JSON.parse(body)).toEqual({
      id: headers['x-amzn-requestid'],
      m: 'Missing Authentication Token',
      t: 'MISSING_AUTHENTICATION_TOKEN',
    });
  });

  it('of a class shapes what has none of its own', async () => {
    const { statusCode: _, ...withoutStatus } = custom;
    await restart({
      api: { ...api, gatewayResponses: { DEFAULT_4XX: custom, DEFAULT_5XX: withoutStatus } },
    });

    const unknown = await gateway.send({ path: '/nothing' });
    const forbidden = await gateway.send({ path: '/forbidden' });

    expect([unknown.status, forbidden.status]).toEqual([404, 500]);
    expect(JSON.parse(forbidden.body)).toMatchObject({ t: 'API_CONFIGURATION_ERROR' });
  });
});
