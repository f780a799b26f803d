import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { serviceName } from '../../shared/util/service-name.ts';
import { TestRegistry } from '../support/registry.ts';

const token = 'a-token-of-more-than-thirty-two-characters';

describe('GET /', () => {
  let open: TestRegistry;
  let closed: TestRegistry;

  beforeAll(async () => {
    [open, closed] = await Promise.all([
      TestRegistry.start(),
      TestRegistry.start({ tokens: token }),
    ]);
  });
  afterAll(() => Promise.all([open.close(), closed.close()]));

  it('says that authentication is disabled without tokens', async () => {
    const { status, body } = await open.get('/');

    expect(status).toBe(200);
    expect(body).toEqual({
      name: serviceName,
      version: packageJson.version,
      authentication: 'disabled',
      sign_in: null,
      job_audience: null,
      freeze: null,
      links: {
        openapi: `${open.url}/openapi.json`,
        console: `${open.url}/console`,
        docs: `${open.url}/docs`,
        command_line: `${open.url}/registry.mjs`,
        npm: `${open.url}/npm/`,
        pypi: `${open.url}/pypi/simple/`,
        maven: `${open.url}/maven/`,
      },
    });
  });

  it.each([
    ['/', 200],
    ['/api/v1/packages', 200],
    ['/api/v1/packages/nowhere', 404],
    ['/api/v1/nowhere', 404],
    ['/api/v1/packages?limit=x', 400],
  ])('ends its answer with a line, for who reads it in a terminal: %s', async (path, status) => {
    const answer = await fetch(`${open.url}${path}`);

    expect(answer.status).toBe(status);
    expect(await answer.text()).toMatch(/\}\n$/);
  });

  it('says that authentication is enabled with tokens', async () => {
    const { body } = await closed.get('/');

    expect(body.authentication).toBe('enabled');
  });

  it.each([
    ['text/html,application/xhtml+xml,*/*;q=0.8', 302],
    ['text/html, application/json', 200],
    ['application/json', 200],
    ['*/*', 200],
  ])('leads browsers alone to the console: Accept: %s', async (Accept, status) => {
    const response = await fetch(open.url, { redirect: 'manual', headers: { Accept } });

    expect(response.status).toBe(status);
    expect(response.headers.get('vary')).toBe('Accept');
    expect(response.headers.get('location')).toBe(status === 302 ? `${open.url}/console` : null);
  });

  it('refuses parameters, of which it has none', async () => {
    const { status, body } = await open.get('/?x=1');

    expect(status).toBe(400);
    expect(body.errors).toEqual([{ path: 'x', message: 'is unknown' }]);
  });
});
