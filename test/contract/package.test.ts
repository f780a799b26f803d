import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packagePath, TestRegistry } from '../support/registry.ts';

describe('a package by its name', () => {
  let registry: TestRegistry;

  beforeAll(async () => {
    registry = await TestRegistry.start();
    for (const [ecosystem, name, version] of [
      ['npm', 'redis', '4.0.0'],
      ['pypi', 'redis', '5.0'],
      ['npm', 'redis', '4.1.0'],
      ['docker', 'redis', '7.2'],
      ['npm', 'redis', '3.0.0'],
      ['npm', '@types/node', '24.0.0'],
      ['npm', 'foo.bar', '1.0.0'],
      ['npm', 'foo-bar', '2.0.0'],
      ['pypi', 'Foo_Bar', '3.0'],
      ['npm', 'build', '1.0.0+build.1'],
      ['maven', 'org.slf4j:slf4j-api', '2.0'],
    ] as const) {
      await registry.submit({ ecosystem, name, version });
    }
    await registry.post(packagePath('redis', '/approve?ecosystem=npm&version=4.0.0'));
    await registry.post(packagePath('redis', '/approve?ecosystem=pypi'));
  });
  afterAll(() => registry.close());

  it.each<[string, string, string, string]>([
    ['redis', '', 'npm', '3.0.0'],
    ['redis', '?ecosystem=npm', 'npm', '3.0.0'],
    ['redis', '?ecosystem=docker', 'docker', '7.2'],
    ['redis', '?status=approved', 'pypi', '5.0'],
    ['redis', '?status=approved&ecosystem=npm', 'npm', '4.0.0'],
    ['redis', '?version=4.1.0', 'npm', '4.1.0'],
    ['redis', '?version=5.0.0', 'pypi', '5.0'],
    ['redis', '?version=7.2&ecosystem=docker', 'docker', '7.2'],
    ['docker.io/library/redis', '', 'docker', '7.2'],
    ['@types/node', '', 'npm', '24.0.0'],
    ['org.slf4j:slf4j-api', '', 'maven', '2.0'],
    ['foo.bar', '?ecosystem=npm', 'npm', '1.0.0'],
    ['foo.bar', '', 'pypi', '3.0'],
    ['foo-bar', '?ecosystem=npm', 'npm', '2.0.0'],
    ['build', '?version=1.0.0%2Bbuild.1', 'npm', '1.0.0+build.1'],
    ['build', '?version=1.0.0+build.1', 'npm', '1.0.0+build.1'],
    ['build', '?version=1.0.0', 'npm', '1.0.0+build.1'],
  ])('reads %s%s', async (name, query, ecosystem, version) => {
    const { status, body } = await registry.get(packagePath(name, query));

    expect(status).toBe(200);
    expect(body).toMatchObject({ ecosystem, version });
  });

  it.each([
    packagePath('unknown'),
    packagePath('redis', '?version=9.9.9'),
    packagePath('redis', '?ecosystem=maven'),
    packagePath('redis', '?status=rejected'),
    packagePath('FOO-bar', '?ecosystem=npm'),
    packagePath('../etc/passwd'),
    packagePath('%2e%2e'),
    packagePath(''.padEnd(3000, 'x')),
    packagePath('ｒｅｄｉｓ'),
    '/api/v1/packages/%zz',
    '/api/v1/packages/%00',
    '/api/v1/packages/%C0%AF',
    '/api/v1/packages/a%20b',
    packagePath('unknown', '/versions'),
    packagePath(''.padEnd(5000, 'x'), '/versions'),
    packagePath(''.padEnd(5000, 'x'), '/history'),
    packagePath(''.padEnd(5000, 'x'), '/evidence'),
  ])('answers 404 for %s', async (path) => {
    const { status, body } = await registry.get(path);

    expect(status).toBe(404);
    expect(body.code).toBe('package_not_found');
  });

  it('takes a name with an unencoded slash for an unknown path', async () => {
    const { status, body } = await registry.get('/api/v1/packages/@types/node');

    expect(status).toBe(404);
    expect(body.code).toBe('route_not_found');
    expect(body.detail).toContain('%2F');
  });

  it.each(['?ecosystem=x', '?status=x', '?limit=1', '?version=1&version=2'])(
    'refuses %s',
    async (query) => {
      expect((await registry.get(packagePath('redis', query))).status).toBe(400);
    },
  );

  it.each<[string, string[]]>([
    ['', ['3.0.0', '7.2', '4.1.0', '5.0', '4.0.0']],
    ['?ecosystem=npm', ['3.0.0', '4.1.0', '4.0.0']],
    ['?status=approved', ['5.0', '4.0.0']],
    ['?limit=2&offset=1', ['7.2', '4.1.0']],
    ['?offset=9', []],
    ['?status=rejected', []],
  ])('lists the versions%s, newest first', async (query, expected) => {
    const { body } = await registry.get(packagePath('redis', `/versions${query}`));

    expect(body.packages.map(({ version }: { version: string }) => version)).toEqual(expected);
  });

  it('counts and links pages of versions', async () => {
    const { body, headers } = await registry.get(packagePath('redis', '/versions?limit=2'));

    expect(body).toMatchObject({ total: 5, limit: 2, offset: 0 });
    expect(headers.get('link')).toBe(
      `<${registry.url}/api/v1/packages/redis/versions?limit=2&offset=2>; rel="next"`,
    );
  });
});
