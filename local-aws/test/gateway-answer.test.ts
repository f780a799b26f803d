import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Exchange } from '../src/gateway/gateway.ts';
import { startTestGateway, type TestGateway } from './fixture/gateway.ts';

let gateway: TestGateway;

beforeEach(async () => {
  gateway = await startTestGateway();
});

afterEach(() => gateway.server.close());

describe('the answer', () => {
  it.each<[string, unknown, object]>([
    [
      'status, headers and body',
      { statusCode: 201, headers: { a: '1' }, body: 'é' },
      { status: 201, body: 'é' },
    ],
    ['a status given as text', { statusCode: '404' }, { status: 404, body: '' }],
    ['200 where no status is given', { body: 'x' }, { status: 200, body: 'x' }],
    ['no body', { statusCode: 204, body: null }, { status: 204, body: '' }],
    [
      'base64 as text for a client that wants no binary',
      { body: 'QQ==', isBase64Encoded: true },
      { body: 'QQ==' },
    ],
  ])('has %s', async (_, result, expected) => {
    gateway.answer = async () => result;

    expect(await gateway.send()).toMatchObject(expected);
  });

  it('decodes base64 for a client that wants a binary type first', async () => {
    gateway.answer = async () => ({ statusCode: 200, body: 'QQ==', isBase64Encoded: true });

    const { body } = await gateway.send({ headerLines: ['Accept', 'image/png, */*'] });

    expect(body).toBe('A');
  });

  it('is JSON unless the function says otherwise', async () => {
    const { headers } = await gateway.send();

    expect(headers['content-type']).toBe('application/json');
  });

  it('merges both forms of headers', async () => {
    gateway.answer = async () => ({
      headers: { 'Content-Type': 'text/plain', 'set-cookie': 'c' },
      multiValueHeaders: { 'Set-Cookie': ['a', 'b', 'c'] },
    });

    const { headers } = await gateway.send();

    expect(headers).toMatchObject({ 'content-type': 'text/plain', 'set-cookie': ['a', 'b', 'c'] });
  });

  it.each(['WWW-Authenticate', 'Date', 'Server'])('renames %s', async (name) => {
    gateway.answer = async () => ({ headers: { [name]: 'x' } });

    const { headers } = await gateway.send();

    expect(headers[`x-amzn-remapped-${name.toLowerCase()}`]).toBe('x');
    expect(headers[name.toLowerCase()]).not.toBe('x');
  });
});

describe('who looks on', () => {
  it('sees each answer, whoever gave it', async () => {
    const seen: Exchange[] = [];
    const watched = await startTestGateway({ onAnswer: (exchange) => seen.push(exchange) });
    watched.answer = async () => ({ statusCode: 201, body: 'x' });

    await watched.send({ method: 'POST', path: '/things?a=b' });
    await watched.send({ path: '/nowhere' });

    await watched.server.close();
    expect(seen).toMatchObject([
      { method: 'POST', path: '/things', answer: { status: 201, body: Buffer.from('x') } },
      { method: 'GET', path: '/nowhere', answer: { status: 403 } },
    ]);
  });
});
