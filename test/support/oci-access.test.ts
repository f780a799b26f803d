import { afterEach, describe, expect, it } from 'vitest';
import { type OciRegistry, startOciRegistry } from './oci-registry.ts';

let registry: OciRegistry;

afterEach(() => registry.close());

const users = { ci: 'a:b' };
const basic = (password: string) => `Basic ${Buffer.from(`ci:${password}`).toString('base64')}`;

const start = async (options: Parameters<typeof startOciRegistry>[0]) => {
  registry = await startOciRegistry({ users, ...options });
  for (const name of ['open', 'closed']) registry.pushImage(name, { tag: 'latest' });
};

const get = async (path: string, authorization?: string) => {
  const headers = authorization === undefined ? {} : { Authorization: authorization };
  const response = await fetch(`${registry.url}${path}`, { headers });
  const challenge = response.headers.get('www-authenticate');
  const body = JSON.parse(await response.text());
  return { status: response.status, challenge, body, code: body.errors?.[0].code };
};

const manifest = '/v2/open/manifests/latest';
const scope = (name: string, action = 'pull') =>
  `/token?service=registry.test&scope=repository:${name}:${action}`;

describe('a registry with tokens', () => {
  it('names realm, service and scope, also for what is not there', async () => {
    await start({ auth: 'bearer' });

    for (const path of [manifest, '/v2/open/manifests/none', '/v2/none/manifests/latest']) {
      const { status, challenge, code } = await get(path);
      const name = path.split('/')[2];
      expect([status, code]).toEqual([401, 'UNAUTHORIZED']);
      expect(challenge).toBe(
        `Bearer realm="${registry.url}/token",service="registry.test",scope="repository:${name}:pull"`,
      );
    }
  });

  it('gives anybody a token for one public repository', async () => {
    await start({ auth: 'bearer', tokenLifetimeSeconds: 60 });

    const { body } = await get(scope('open'));

    expect(body).toEqual({
      ...{ token: expect.any(String), expires_in: 60, issued_at: expect.any(String) },
    });
    expect((await get(manifest, `Bearer ${body.token}`)).status).toBe(200);
    const other = await get('/v2/closed/manifests/latest', `Bearer ${body.token}`);
    expect(other.status).toBe(401);
    expect(other.challenge).toContain('scope="repository:closed:pull",error="insufficient_scope"');
  });

  it('accepts no token after its end, and none of its own making', async () => {
    await start({ auth: 'bearer', tokenLifetimeSeconds: 0 });
    const { token } = (await get(scope('open'))).body;

    for (const wrong of [token, 'x']) {
      const { status, challenge } = await get(manifest, `Bearer ${wrong}`);
      expect(status).toBe(401);
      expect(challenge).toContain('error="invalid_token"');
    }
  });

  it('gives the token of a private repository to a user alone', async () => {
    await start({ auth: 'bearer', private: ['closed'] });

    expect((await get(scope('closed'))).status).toBe(401);
    expect((await get(scope('closed'), basic('wrong'))).code).toBe('UNAUTHORIZED');
    expect((await get(scope('open'), basic('wrong'))).status).toBe(401);
    const { token } = (await get(scope('closed'), basic('a:b'))).body;
    expect((await get('/v2/closed/manifests/latest', `Bearer ${token}`)).status).toBe(200);
  });

  it('gives no token to change content, nor for another service', async () => {
    await start({ auth: 'bearer' });

    expect(await get(scope('open', 'push'))).toMatchObject({ status: 403, code: 'DENIED' });
    expect((await get('/token?scope=repository:open:pull')).status).toBe(400);
  });

  it('answers /v2/ to any token', async () => {
    await start({ auth: 'bearer' });

    const { status, challenge } = await get('/v2/');
    expect(status).toBe(401);
    expect(challenge).toBe(`Bearer realm="${registry.url}/token",service="registry.test"`);
    const { token } = (await get('/token?service=registry.test')).body;
    expect((await get('/v2/', `Bearer ${token}`)).status).toBe(200);
    expect((await get(manifest, `Bearer ${token}`)).status).toBe(401);
  });
});

it('a registry with Basic answers users alone', async () => {
  await start({ auth: 'basic' });

  for (const path of ['/v2/', manifest]) {
    expect(await get(path)).toMatchObject({
      ...{ status: 401, challenge: 'Basic realm="registry"', code: 'UNAUTHORIZED' },
    });
    expect((await get(path, basic('a'))).status).toBe(401);
    expect((await get(path, basic('a:b'))).status).toBe(200);
  }
});
