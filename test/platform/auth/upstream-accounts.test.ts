import { type RunningSecret, startSecret } from '@package-registry/local-aws';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { upstreamSecretEnv } from '../../../shared/api/resources.ts';
import { byEcosystem, ecosystems } from '../../../shared/ecosystems/ecosystem.ts';
import { createOriginClient } from '../../../shared/ecosystems/origin-client.ts';
import type { FindAuthorization } from '../../../shared/util/outbound-http/accounts.ts';
import { pointSecretsAt } from '../../support/secrets.ts';
import { type StandIn, serveStandIn } from '../../support/stand-in.ts';

const host = 'registry.example.com:5000';
const password = 'correct-horse-battery';
const account = { username: 'puller', password };
const text = JSON.stringify({ [host]: account });

const basicOf = (secretPart: string): string =>
  `Basic ${Buffer.from(`puller:${secretPart}`).toString('base64')}`;

let secret: RunningSecret;
let standIn: StandIn | undefined;
let lines: string[];

beforeEach(async () => {
  lines = [];
  vi.spyOn(process.stdout, 'write').mockImplementation((line) => {
    lines.push(String(line));
    return true;
  });
  vi.useFakeTimers({ toFake: ['Date'], now: 0 });
  // Each test has a new function instance.
  vi.resetModules();
  secret = await startSecret(text);
  process.env[upstreamSecretEnv] = secret.arn;
});
afterEach(async () => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  delete process.env[upstreamSecretEnv];
  await secret.close();
  await standIn?.close();
  standIn = undefined;
});

/** Returns the search for credentials in this function instance. */
const createSearch = async (endpoint = secret.endpoint): Promise<FindAuthorization> => {
  const { createFindAuthorization } = await import(
    '../../../shared/platform/auth/upstream-accounts.ts'
  );
  const { secretsManager } = await import('../../../shared/platform/auth/token-secret.ts');
  pointSecretsAt(endpoint, secretsManager);
  return createFindAuthorization() ?? expect.fail('There is no search');
};

const change = (value: string) => secret.handle('PutSecretValue', { SecretString: value });

const waitMinutes = (minutes: number) => vi.setSystemTime(Date.now() + minutes * 60_000);

/** Serves responses of Secrets Manager with this body, and counts the requests. */
const serveBody = async (body: string) => {
  const counted = { requests: 0 };
  standIn = await serveStandIn((_, response) => {
    counted.requests += 1;
    response.writeHead(200, { 'content-type': 'application/x-amz-json-1.1' }).end(body);
  });
  return { counted, url: standIn.url };
};

describe('the accounts at upstream services', () => {
  it('are found by the exact host', async () => {
    const find = await createSearch();

    expect(await find(host)).toBe(basicOf(password));
    expect(await find('registry.example.com')).toBeUndefined();
    expect(await find('constructor')).toBeUndefined();
    expect(lines).toEqual([]);
  });

  it('can be tokens', async () => {
    await change(JSON.stringify({ [host]: account, 'mirror.example.com': { token: 'abc.d' } }));
    const find = await createSearch();

    expect(await find('mirror.example.com')).toBe('Bearer abc.d');
  });

  it('are none without the setting', async () => {
    delete process.env[upstreamSecretEnv];
    const { createFindAuthorization } = await import(
      '../../../shared/platform/auth/upstream-accounts.ts'
    );

    expect(createFindAuthorization()).toBeUndefined();
  });

  it('are read once in five minutes by all searches of an instance', async () => {
    const { counted, url } = await serveBody(JSON.stringify({ SecretString: text }));
    const search = async () => (await createSearch(url))(host);

    await Promise.all([search(), search()]);
    waitMinutes(4.9);
    await search();
    const before = counted.requests;
    waitMinutes(0.1);
    await search();

    expect([before, counted.requests]).toEqual([1, 2]);
  });

  it('follow a change of the secret within five minutes', async () => {
    const find = await createSearch();
    await find(host);
    await change(JSON.stringify({ [host]: { ...account, password: 'another' } }));
    waitMinutes(5);

    expect(await find(host)).toBe(basicOf('another'));
  });

  it('follow a change at once after a refusal, with one read in half a minute', async () => {
    const { counted, url } = await serveBody(JSON.stringify({ SecretString: text }));
    const unchanged = await createSearch(url);
    const known = await unchanged(host);
    waitMinutes(0.5);
    await unchanged(host, known);
    await unchanged(host, known);

    expect(counted.requests).toBe(2);

    vi.resetModules();
    const find = await createSearch();
    const refused = await find(host);
    await change(JSON.stringify({ [host]: { ...account, password: 'another' } }));
    waitMinutes(0.5);

    expect(await find(host, refused)).toBe(basicOf('another'));
  });

  it('reach a mirror after a change that it knows already, in this instance', async () => {
    standIn = await serveStandIn((request, response) => {
      const isKnown = request.headers.authorization === basicOf('another');
      response.writeHead(isKnown ? 404 : 401).end();
    });
    const { host: mirror } = new URL(standIn.url);
    await change(JSON.stringify({ [mirror]: account }));
    const client = createOriginClient({
      addresses: byEcosystem(ecosystems, () => standIn?.url ?? ''),
      ...{ timeoutMs: 5_000, findAuthorization: await createSearch() },
    });
    const ask = async () =>
      (await client.collectFacts({ ecosystem: 'npm', name: 'a', version: '1.0.0' })).facts;
    const before = await ask();
    await change(JSON.stringify({ [mirror]: { ...account, password: 'another' } }));
    waitMinutes(0.5);

    expect(before.reason).toContain('refused its account in the secret');
    expect(JSON.stringify(before) + lines.join()).not.toContain(password);
    expect(await ask()).toMatchObject({ found: 'no' });
  });

  it.each([
    ['no JSON', `{"${host}": ${password}`],
    ['a list', JSON.stringify([account])],
    ['an account without a user name', JSON.stringify({ [host]: { password } })],
    ['a colon in a user name', JSON.stringify({ [host]: { username: `a:${password}`, password } })],
    [
      'a token that could add a header',
      JSON.stringify({ [host]: { token: `${password}\r\nX: 1` } }),
    ],
    ['a URL in place of a host', JSON.stringify({ [`https://${host}/`]: account })],
    ['another field', JSON.stringify({ [host]: { ...account, [password]: '' } })],
    ['the password as a host', JSON.stringify({ [password]: password })],
  ])('are none with one log line for a malformed secret: %s', async (_, value) => {
    await change(value);
    const find = await createSearch();

    expect([await find(host), await find(host)]).toEqual([undefined, undefined]);
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { level: 'error', event: 'upstream_accounts_not_loaded' },
    ]);
    expect(lines.join()).not.toContain(password.slice(0, 5));
  });

  it('are none with one log line for a missing secret', async () => {
    process.env[upstreamSecretEnv] = `${secret.arn}x`;
    const find = await createSearch();

    expect([await find(host), await find(host)]).toEqual([undefined, undefined]);
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      {
        event: 'upstream_accounts_not_loaded',
        error: { name: 'ResourceNotFoundException' },
      },
    ]);
  });

  it('stay known while the secret cannot be read, for an hour', async () => {
    const find = await createSearch();
    await find(host);
    await change('{');
    waitMinutes(59);
    const within = await find(host);
    waitMinutes(1);

    expect([within, await find(host)]).toEqual([basicOf(password), undefined]);
  });

  it('are in no log line for a malformed response', async () => {
    const { url } = await serveBody(`{"SecretString": ${password}`);
    const find = await createSearch(url);

    expect(await find(host)).toBeUndefined();
    expect(lines.join()).toContain('upstream_accounts_not_loaded');
    expect(lines.join()).not.toContain(password.slice(0, 5));
  });
});
