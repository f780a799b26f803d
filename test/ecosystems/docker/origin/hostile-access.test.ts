import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { OriginSettings } from '../../../../shared/ecosystems/origin-client.ts';
import type { LookUpAll } from '../../../../shared/util/outbound-http/guarded-lookup.ts';
import { type OciRegistry, startOciRegistry } from '../../../support/oci-registry.ts';
import { type OriginServer, startOriginServer } from '../../../support/origin-server.ts';
import { useSimulatedClock } from '../../../support/simulated-clock.ts';
import { answerWith, answerWithoutEnd, askImage, openImageClient, shop } from './ask-image.ts';

const clock = useSimulatedClock();
const credentials = { username: 'reader', password: 'open-sesame' };
const basic = Buffer.from(`${credentials.username}:${credentials.password}`).toString('base64');
const findAuthorization = async () => `Basic ${basic}`;

let registry: OciRegistry;
/** Server of somebody else: another port is another origin. */
let other: OriginServer;
let lines: string[];

const start = async (options: NonNullable<Parameters<typeof startOciRegistry>[0]> = {}) => {
  await registry?.close();
  const users = { [credentials.username]: credentials.password };
  registry = await startOciRegistry({ auth: 'bearer', users, ...options });
  registry.pushImage('acme/shop', { tag: '1' });
};

beforeEach(async () => {
  lines = [];
  vi.spyOn(process.stdout, 'write').mockImplementation((line) => lines.push(String(line)) > 0);
  other = await startOriginServer();
  await start();
});

afterEach(async () => {
  await registry.close();
  await other.close();
});

const manifests = /\/manifests\//;
const tokens = /^\/token/;

/** Fetches the image with an account, whose secrets are in no message and in no log line. */
const ask = async (settings: Partial<OriginSettings> = {}) => {
  const answer = await askImage(registry, '1', { findAuthorization, ...settings });
  const seen = JSON.stringify(answer) + lines.join('');
  for (const secret of [credentials.password, basic]) expect(seen).not.toContain(secret);
  return answer;
};

const refusal = (reason: string | RegExp) => ({
  ...{ outcome: 'failed', passing: false, manifest: null },
  facts: { found: 'unknown', name_found: null, reason: expect.stringMatching(reason) },
});

const countRequests = (path: RegExp): number =>
  registry.requests.filter((request) => path.test(request.path)).length;

/** Has the registry challenge each request for a manifest with this header. */
const challengeWith = (header: string): void => {
  registry.setFault(manifests, answerWith('', { 'WWW-Authenticate': header }, 401));
};

const listAuthorizations = (): unknown[] =>
  other.requests.map(({ headers }) => headers.authorization);

describe('a token server', () => {
  it.each([
    'ftp://127.0.0.1/token',
    'file:///etc/passwd',
    'data:application/json,{"token":"x"}',
    'http://user:secret@127.0.0.1/token',
    'http://user@127.0.0.1/token',
    'http://:secret@127.0.0.1/token',
    '/token',
    '',
  ])('at %j is not asked', async (realm) => {
    challengeWith(`Bearer realm="${realm}",service="x"`);

    expect(await ask()).toMatchObject(refusal(/ names a token server that is not allowed$/));
  });

  it.each([
    ['http://169.254.169.254', 'link-local'],
    ['http://[fd00:ec2::254]', 'link-local'],
    ['http://10.0.0.5', 'private'],
    ['http://0xa9fea9fe', 'link-local'],
    ['http://0.0.0.0', 'reserved'],
    ['https://192.168.0.1', 'private'],
  ])('inside a network is not asked: %s', async (origin, kind) => {
    challengeWith(`Bearer realm="${origin}/latest/meta-data"`);

    expect(await ask()).toMatchObject(
      refusal(new RegExp(` has a ${kind} address, to which requests are not allowed$`)),
    );
  });

  it('inside a network is not asked by a name either', async () => {
    challengeWith(`Bearer realm="http://tokens.example/token"`);
    const lookUpAll: LookUpAll = (_name, _options, answer) =>
      answer(null, [{ address: '169.254.169.254', family: 4 }]);

    expect(await ask({ lookUpAll })).toMatchObject(
      refusal(/^tokens\.example has a link-local address, to which requests are not allowed$/),
    );
  });

  it('gets the scope of reading this repository, whatever the challenge says', async () => {
    challengeWith(
      `Bearer realm="${other.url}/token?scope=repository:a/b:push&scope=registry:catalog:*",scope="repository:*:*"`,
    );

    await ask();

    const { searchParams } = new URL(other.requests[0]?.path ?? '', other.url);
    expect(searchParams.getAll('scope')).toEqual(['repository:acme/shop:pull']);
  });

  it.each<[string, unknown, RegExp]>([
    ['a token with a line break', { token: 'a\r\nX-Evil: 1' }, / answered without a token$/],
    ['a token with other letters', { token: 'a\u0142b' }, / answered without a token$/],
    ['a token with blanks', { token: 'a b' }, / answered without a token$/],
    ['an empty token', { token: '' }, / answered without a token$/],
    ['a number', { token: 7 }, / answered without a token$/],
    ['a list', ['x'], / answered without a token$/],
    ['a web page', '<!doctype html>', / answered without a token$/],
    ['a prototype', '{"__proto__": {"token": "x"}}', / answered without a token$/],
    ['too much', { token: 'x'.repeat(65 * 1024) }, / responded with more than 64 KiB$/],
  ])('that answers %s is refused', async (_, body, reason) => {
    registry.setFault(tokens, answerWith(body));

    expect(await ask()).toMatchObject(refusal(reason));
    expect(Reflect.get({}, 'token')).toBeUndefined();
  });

  it('without an end is not read to it', async () => {
    registry.setFault(tokens, answerWithoutEnd());

    expect(await ask()).toMatchObject(refusal(/ responded with more than 64 KiB$/));
  });

  it('that is silent may answer later', async () => {
    registry.setFault(tokens, () => clock.passToLimit());

    expect(await ask({ timeoutMs: 100 })).toMatchObject({ outcome: 'failed', passing: true });
  });

  it.each([0, -1, 1e300, '300', null])('may name a lifetime of %j', async (expires_in) => {
    other.serve(`/token?scope=repository%3Aacme%2Fshop%3Apull`, {
      body: { token: 'never-accepted', expires_in },
    });
    challengeWith(`Bearer realm="${other.url}/token"`);

    expect(await ask()).toMatchObject(refusal(/ refused the request with status 401: the image/));
    expect(other.requests).toHaveLength(1);
    expect(JSON.stringify(lines)).not.toContain('never-accepted');
  });

  it('gets no credentials over a redirect, and no request inside', async () => {
    registry.setFault(tokens, answerWith('', { Location: `${other.url}/token` }, 307));
    other.serve('/token', { body: { token: 'x' } });

    await ask();

    expect(listAuthorizations()).toEqual([undefined]);

    registry.setFault(tokens, answerWith('', { Location: 'http://169.254.169.254/' }, 307));
    expect(await ask()).toMatchObject(refusal(/ has a link-local address/));
  });

  it('may send on only to an address without a user', async () => {
    const location = other.url.replace('http://', 'http://:secret@');
    registry.setFault(tokens, answerWith('', { Location: location }, 307));

    expect(await ask()).toMatchObject(refusal(/ redirected to a URL that is not allowed$/));
    expect(other.requests).toEqual([]);
  });
});

describe('a registry', () => {
  it('that refuses each token is asked twice, with one token', async () => {
    challengeWith(`Bearer realm="${registry.url}/token",service="registry.test"`);

    expect(await ask()).toMatchObject(
      refusal(/ refused the request with status 401: the image is private, or does not exist$/),
    );
    expect([countRequests(manifests), countRequests(tokens)]).toEqual([2, 1]);
  });

  it('may name its token server in another challenge than the first', async () => {
    challengeWith(`Negotiate, Bearer, Basic realm="x", Bearer realm="${other.url}/token"`);

    await ask();

    expect(other.requests.map(({ path }) => path)).toEqual([
      '/token?scope=repository%3Aacme%2Fshop%3Apull',
    ]);
  });

  it.each([
    ['a manifest', manifests, 1],
    ['a token', tokens, 1],
  ])('that limits the requests for %s says when to come back', async (_, path, requests) => {
    registry.setFault(path, answerWith('', { 'Retry-After': '600' }, 429));

    expect(await ask()).toMatchObject({
      ...{ outcome: 'failed', passing: true, retryAfterMs: 600_000 },
      facts: { reason: expect.stringContaining('status 429 and requested a delay of 600 s') },
    });
    expect(countRequests(path)).toBe(requests);
  });

  it('keeps no connection whose answer is not read', async () => {
    const open = new Set<ServerResponse>();
    registry.setFault(manifests, (request, response) => {
      open.add(response);
      response.on('close', () => open.delete(response));
      answerWithoutEnd({ 'WWW-Authenticate': 'Bearer realm="file:///"' }, 401)(request, response);
    });

    expect(await ask()).toMatchObject(refusal(/ names a token server that is not allowed$/));
    await expect.poll(() => open.size).toBe(0);
  });

  it.each([
    ['a manifest', /\/manifests\//],
    ['a configuration', /\/blobs\//],
  ])('sends nobody inside for %s', async (_, path) => {
    registry.setFault(path, answerWith('', { Location: 'http://169.254.169.254/' }, 307));

    const answer = await ask();

    expect(answer).not.toMatchObject({ details: { described: true } });
    if (path.test('/manifests/'))
      expect(answer).toMatchObject(refusal(/ has a link-local address/));
  });

  it.each(['bearer', 'basic'] as const)(
    'shows its account (%s) to nobody else by a redirect, and no challenge from there counts',
    async (auth) => {
      await start({ auth, private: ['acme/shop'] });
      await ask();
      registry.setFault(manifests, answerWith('', { Location: `${other.url}/m` }, 307));
      const challenge = { 'WWW-Authenticate': `Bearer realm="${other.url}/token"` };
      other.serve('/m', { status: 401, headers: challenge });

      expect(await ask()).toMatchObject(refusal(/ refused the request with status 401/));
      expect(other.requests.map(({ path }) => path)).toEqual(['/m']);
      expect(listAuthorizations()).toEqual([undefined]);
    },
  );

  it('over TLS gets no request and no account without it', async () => {
    const sent: [string, string | null][] = [];
    const fetch: typeof globalThis.fetch = async (url, init) => {
      sent.push([String(url), new Headers(init?.headers).get('Authorization')]);
      const realm = 'Bearer realm="http://auth.example/token"';
      return new Response(null, { status: 401, headers: { 'WWW-Authenticate': realm } });
    };
    const client = openImageClient('https://registry.example', { fetch, findAuthorization });
    const id = { ecosystem: 'docker', name: shop, version: '1' } as const;

    expect(await client.collectFacts(id)).toMatchObject(
      refusal(/^registry\.example names a token server that is not allowed$/),
    );
    expect(sent).toEqual([['https://registry.example/v2/acme/shop/manifests/1', null]]);
  });
});
