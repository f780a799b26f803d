import { afterEach, describe, expect, it } from 'vitest';
import {
  type ClientOptions,
  createClient,
  RequestError,
} from '../../../shared/api/client/client.ts';
import {
  breakOff,
  json,
  problem,
  type Scene,
  type ScriptedServer,
  startScripted,
} from '../../support/scripted-server.ts';
import { useSimulatedClock } from '../../support/simulated-clock.ts';

const page = { packages: [], total: 0, limit: 100, offset: 0 };
const detail = { name: 'left-pad', version: '1.3.0' };
const submission = { ecosystem: 'npm', name: 'left-pad', version: '1.3.0' } as const;

const clock = useSimulatedClock();

/** No answer, until the time for it is over. */
const silence: Scene = () => clock.passToLimit();

let server: ScriptedServer;
afterEach(() => server?.close());

const clientOf = async (script: readonly Scene[], options: Partial<ClientOptions> = {}) => {
  server = await startScripted(...script);
  return createClient({ url: server.url, backoffMs: 1, ...options });
};

const failureOf = async (request: Promise<unknown>): Promise<RequestError> => {
  const failure = await request.catch((error: unknown) => error);
  if (!(failure instanceof RequestError)) throw new Error(`No RequestError: ${failure}`);
  return failure;
};

describe('a request', () => {
  it('goes to the path of its route, with a name as one segment', async () => {
    const client = await clientOf([json(200, detail)]);

    await client.showPackage({ path: { name: '@types/node' }, query: { version: '1.0+a b' } });

    expect(server.received[0]).toMatchObject({
      method: 'GET',
      url: '/api/v1/packages/%40types%2Fnode?version=1.0%2Ba+b',
    });
  });

  it('takes parameters as what they are read as, and leaves out undefined ones', async () => {
    const client = await clientOf([json(200, page)]);

    await client.listPackages({ query: { limit: 5, offset: 0, search: undefined } });

    expect(server.received[0]?.url).toBe('/api/v1/packages?limit=5&offset=0');
  });

  it('goes below a base URL with a stage', async () => {
    server = await startScripted(json(200, page));
    const client = createClient({ url: `${server.url}/prod/` });

    await client.listPackages();

    expect(server.received[0]?.url).toBe('/prod/api/v1/packages');
  });

  it('carries the token to where one is needed, and nowhere else', async () => {
    const client = await clientOf([json(200, page), json(201, detail)], { token: 'secret' });

    await client.listPackages();
    await client.submitPackage({ body: submission }, { idempotencyKey: 'k' });

    const [read, write] = server.received;
    expect(read?.headers).not.toHaveProperty('x-api-key');
    expect(write?.headers).toMatchObject({ 'x-api-key': 'secret', 'idempotency-key': 'k' });
  });

  it.each([
    ['a token that no header can carry', { token: 'a\nSECRET' }],
    ['a token that is empty', { token: '' }],
    ['a URL with a password', { url: 'https://user:SECRET@registry.example.com' }],
    ['a URL that is none', { url: 'SECRET' }],
    ['a URL of another kind', { url: 'ftp://registry.example.com/?SECRET' }],
  ])('is not made with %s, which is not repeated', (_, options) => {
    const create = () => createClient({ url: 'https://registry.example.com', ...options });

    expect(create).toThrow(TypeError);
    expect(create).not.toThrow(/SECRET/);
  });

  it.each(['', '.', '..'])(
    'is not made for the name "%s", which a URL would lose',
    async (name) => {
      const client = await clientOf([json(200, detail)]);

      await expect(async () => client.showPackage({ path: { name } })).rejects.toThrow('name');
      expect(server.received).toEqual([]);
    },
  );
});

describe('a failure', () => {
  it('is one error that says all that the registry said', async () => {
    const client = await clientOf([problem(404, 'package_not_found')]);

    const failure = await failureOf(client.showPackage({ path: { name: 'x' } }));

    expect(failure).toMatchObject({
      status: 404,
      code: 'package_not_found',
      detail: 'Told: package_not_found.',
      message: 'Told: package_not_found.',
      requestId: 'id-1',
      problem: { title: 'x' },
    });
  });

  it.each<[string, Scene]>([
    ['HTML', (response) => response.writeHead(200).end('<html>')],
    ['an error of another kind', json(404, { message: 'Not Found' })],
    ['nothing', (response) => response.writeHead(204).end()],
    ['null', json(200, null)],
    ['a list', json(200, [1, 2])],
  ])('tells that %s is no answer of a registry', async (_, scene) => {
    const client = await clientOf([scene]);

    const failure = await failureOf(client.listPackages());

    expect(failure).toMatchObject({ code: 'unexpected_answer', requestId: null });
  });

  it('is a redirection, which would take the token along', async () => {
    const elsewhere = await startScripted(json(201, detail));
    const redirection: Scene = (response) =>
      response.writeHead(307, { Location: `${elsewhere.url}/` }).end();
    const client = await clientOf([redirection], { token: 'secret' });

    const failure = await failureOf(client.submitPackage({ body: submission }));

    expect(failure).toMatchObject({ status: 307, detail: expect.stringContaining(elsewhere.url) });
    expect(elsewhere.received).toEqual([]);
    await elsewhere.close();
  });

  it('passes on that the caller has given up', async () => {
    const client = await clientOf([silence]);
    const caller = new AbortController();

    const request = client.listPackages({}, { signal: caller.signal });
    caller.abort();

    await expect(request).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }));
  });
});

describe('a passing fault', () => {
  it.each<[string, Scene]>([
    ['429', problem(429, 'throttled')],
    ['500', problem(500, 'internal_error')],
    ['503 of a gateway', (response) => response.writeHead(503).end('busy')],
    ['a broken connection', breakOff],
  ])('is followed by another attempt at reading: %s', async (_, fault) => {
    const client = await clientOf([fault, fault, json(200, page)]);

    expect(await client.listPackages()).toEqual(page);
    expect(server.received).toHaveLength(3);
  });

  it('ends in the error once the retries are used up', async () => {
    const client = await clientOf([problem(500, 'internal_error')], { retries: 2 });

    const failure = await failureOf(client.listPackages());

    expect(failure.code).toBe('internal_error');
    expect(server.received).toHaveLength(3);
  });

  it('is an answer that does not come in time', async () => {
    const client = await clientOf([silence, json(200, page)], { timeoutMs: 200 });

    expect(await client.listPackages()).toEqual(page);
  });

  it('is told as such when no answer comes at all', async () => {
    const client = await clientOf([silence], { timeoutMs: 100, retries: 0 });

    expect(await failureOf(client.listPackages())).toMatchObject({ code: 'timeout', status: null });
  });

  it('is a server that is not there', async () => {
    const client = await clientOf([silence]);
    await server.close();

    const failure = await failureOf(client.listPackages());

    expect(failure).toMatchObject({ code: 'unreachable', status: null, requestId: null });
    expect(failure.detail).toContain(new URL(server.url).host);
  });

  it('waits as long as the registry asks for, and tells of it', async () => {
    const waits: unknown[] = [];
    const client = await clientOf([problem(429, 'x', { 'Retry-After': '1' }), json(200, page)], {
      onWait: ({ ms, after }) => waits.push([ms, after.code]),
    });

    await client.listPackages();

    expect(waits).toEqual([[1000, 'x']]);
    expect(clock.pauses).toEqual([1000]);
  });

  it('is told of request by request, and as one call', async () => {
    const told: unknown[] = [];
    const busy = problem(500, 'internal_error', { 'x-amzn-RequestId': 'first' });
    const client = await clientOf([busy, breakOff, json(200, page)], {
      onAttempt: ({ ms: _, ...attempt }) => told.push(attempt),
      onCall: (call) => void call.then(() => told.push('done')),
    });

    await client.listPackages();

    const request = { method: 'GET', url: `${server.url}/api/v1/packages` };
    expect(told).toEqual([
      { ...request, status: 500, requestId: 'first', code: 'internal_error' },
      { ...request, status: null, requestId: null, code: 'unreachable' },
      { ...request, status: 200, requestId: null, code: null },
      'done',
    ]);
  });

  it('says in plain words that a server does not speak TLS', async () => {
    server = await startScripted(json(200, page));
    const client = createClient({ url: server.url.replace('http:', 'https:') });

    const { detail } = await failureOf(client.listPackages());

    expect(detail).toMatch(
      /cannot be reached: it does not speak TLS\. Does its URL begin with http\?$/,
    );
  });

  it('ends in the error at once where the registry asks for a wait that is too long', async () => {
    const client = await clientOf([problem(429, 'x', { 'Retry-After': '45' })]);

    const failure = await failureOf(client.listPackages());

    expect(failure.retryAfterMs).toBe(45_000);
    expect(server.received).toHaveLength(1);
  });

  it.each([400, 401, 403, 404, 409])('is not %i, which would be the same again', async (status) => {
    const client = await clientOf([problem(status, 'refused')]);

    await failureOf(client.listPackages());

    expect(server.received).toHaveLength(1);
  });
});

describe('a write', () => {
  it.each<[string, Scene]>([
    ['500', problem(500, 'internal_error')],
    ['a broken connection', breakOff],
    ['no answer in time', silence],
  ])('that may have been applied is not repeated after %s', async (_, fault) => {
    const client = await clientOf([fault, json(201, detail)], { timeoutMs: 200 });

    await failureOf(client.submitPackage({ body: submission }));

    expect(server.received).toHaveLength(1);
  });

  it.each<[string, Scene]>([
    ['500', problem(500, 'internal_error')],
    ['a broken connection', breakOff],
    ['no answer in time', silence],
  ])('with an Idempotency-Key is repeated after %s, with the same key', async (_, fault) => {
    const client = await clientOf([fault, json(201, detail)], { timeoutMs: 200 });

    const result = await client.submitPackage({ body: submission }, { idempotencyKey: 'mine' });

    expect(result).toEqual(detail);
    expect(server.received.map(({ headers }) => headers['idempotency-key'])).toEqual([
      'mine',
      'mine',
    ]);
  });

  it('is repeated after 429, by which nothing was done', async () => {
    const client = await clientOf([problem(429, 'throttled'), json(201, detail)]);

    expect(await client.submitPackage({ body: submission })).toEqual(detail);
  });
});
