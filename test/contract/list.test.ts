import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packagePath, TestRegistry } from '../support/registry.ts';

const versions = [
  { ecosystem: 'npm', name: 'express', version: '4.0.0', description: 'Fast web server' },
  { ecosystem: 'pypi', name: 'typing_extensions', version: '4.0', license: 'PSF-2.0' },
  { ecosystem: 'npm', name: 'mysql', version: '2.0.0' },
  { ecosystem: 'docker', name: 'mysql', version: '8.0' },
  { ecosystem: 'maven', name: 'org.slf4j:slf4j-api', version: '2.0.0' },
  { ecosystem: 'npm', name: '@types/node', version: '24.0.0' },
  { ecosystem: 'npm', name: 'express', version: '5.0.0', description: 'Fast web server' },
];

const labels = ({ body }: { body: { packages: { name: string; version: string }[] } }) =>
  body.packages.map(({ name, version }) => `${name} ${version}`);

describe('GET /packages', () => {
  let registry: TestRegistry;

  beforeAll(async () => {
    registry = await TestRegistry.start();
    for (const version of versions) await registry.submit(version);
    await registry.post(packagePath('mysql', '/approve?ecosystem=npm'));
    await registry.post(packagePath('mysql', '/reject?ecosystem=docker'));
  });
  afterAll(() => registry.close());

  const all = versions.map(({ name, version }) => `${name} ${version}`);

  it('lists everything in the order of submission, with the defaults applied', async () => {
    const answer = await registry.get('/api/v1/packages');

    expect(labels(answer)).toEqual(all);
    expect(answer.body).toMatchObject({ total: all.length, limit: 100, offset: 0 });
    expect(answer.body.packages[1]).toEqual({
      name: 'typing_extensions',
      version: '4.0',
      ecosystem: 'pypi',
      status: 'pending',
      license: 'PSF-2.0',
    });
  });

  it.each<[string, string[]]>([
    ['sort=submitted_at', all],
    ['sort=-submitted_at', [...all].reverse()],
    ['ecosystem=npm', ['express 4.0.0', 'mysql 2.0.0', '@types/node 24.0.0', 'express 5.0.0']],
    ['status=approved', ['mysql 2.0.0']],
    ['status=rejected&ecosystem=docker', ['mysql 8.0']],
    ['status=rejected&ecosystem=npm', []],
    ['search=', all],
    ['search=%20%20', all],
    ['search=sql', ['mysql 2.0.0', 'mysql 8.0']],
    ['search=SQL&ecosystem=docker', ['mysql 8.0']],
    ['search=sq', []],
    ['search=my&status=approved', ['mysql 2.0.0']],
    ['search=web+ser', ['express 4.0.0', 'express 5.0.0']],
    ['search=web%20ser&sort=-submitted_at', ['express 5.0.0', 'express 4.0.0']],
    ['search=typing-ext', ['typing_extensions 4.0']],
    ['search=%40types%2F', ['@types/node 24.0.0']],
    ['search=zzz', []],
  ])('answers ?%s', async (query, expected) => {
    const answer = await registry.get(`/api/v1/packages?${query}`);

    expect(labels(answer)).toEqual(expected);
    expect(answer.body.total).toBe(expected.length);
  });

  it.each<[string, string[], number, number]>([
    ['limit=2', all.slice(0, 2), 2, 0],
    ['limit=2&offset=2', all.slice(2, 4), 2, 2],
    ['limit=2&offset=6', all.slice(6), 2, 6],
    ['offset=7', [], 100, 7],
    ['offset=99999999999999999999', [], 100, Number.MAX_SAFE_INTEGER],
    ['limit=1001', all, 1000, 0],
    ['limit=99999999999999999999', all, 1000, 0],
    ['limit=007', all, 7, 0],
  ])('pages by ?%s and echoes what it applied', async (query, expected, limit, offset) => {
    const answer = await registry.get(`/api/v1/packages?${query}`);

    expect(labels(answer)).toEqual(expected);
    expect(answer.body).toMatchObject({ total: all.length, limit, offset });
  });

  it.each([
    ['limit=0', 'limit'],
    ['limit=-1', 'limit'],
    ['limit=1.5', 'limit'],
    ['limit=1e2', 'limit'],
    ['limit=', 'limit'],
    ['limit=ten', 'limit'],
    ['offset=-1', 'offset'],
    ['offset=+1', 'offset'],
    ['offset=', 'offset'],
    ['ecosystem=cargo', 'ecosystem'],
    ['ecosystem=NPM', 'ecosystem'],
    ['ecosystem=', 'ecosystem'],
    ['status=done', 'status'],
    ['sort=name', 'sort'],
    ['view=short', 'view'],
    [`search=${'x'.repeat(101)}`, 'search'],
    ['limit=1&limit=2', 'limit'],
    ['search=a&search=a', 'search'],
    ['page=2', 'page'],
  ])('refuses ?%s and names the parameter', async (query, path) => {
    const { status, body } = await registry.get(`/api/v1/packages?${query}`);

    expect(status).toBe(400);
    expect(body.errors).toEqual([{ path, message: expect.any(String) }]);
  });

  it('names the parameters that exist when one does not', async () => {
    const { body } = await registry.get('/api/v1/packages?page=2');

    expect(body.detail).toContain('search, ecosystem, status, sort, view, limit, offset');
  });

  it('links to the next and the previous page with the other parameters kept', async () => {
    const { headers } = await registry.get('/api/v1/packages?ecosystem=npm&limit=1&offset=1');

    const page = `${registry.url}/api/v1/packages?ecosystem=npm&limit=1`;
    expect(headers.get('link')).toBe(
      `<${page}&offset=2>; rel="next", <${page}&offset=0>; rel="prev"`,
    );
  });

  it('walks every page by its links', async () => {
    const seen: string[] = [];
    let path: string | undefined = '/api/v1/packages?limit=3';
    while (path) {
      const answer = await registry.get(path);
      seen.push(...labels(answer));
      const next: string | undefined = /<([^>]+)>; rel="next"/.exec(
        answer.headers.get('link') ?? '',
      )?.[1];
      path = next?.slice(registry.url.length);
    }

    expect(seen).toEqual(all);
  });

  it('finds, filters and counts a version as soon as its submission has answered', async () => {
    for (let at = 0; at < 10; at += 1) {
      await registry.submit({ ecosystem: 'pypi', name: `fresh-${at}`, version: '1' });

      const { body } = await registry.get(`/api/v1/packages?search=fresh-${at}&ecosystem=pypi`);

      expect(body.total).toBe(1);
    }
  });
});
