import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Ecosystem } from '../../../shared/ecosystems/ecosystem.ts';
import { askServer, type OriginServer, startOriginServer } from '../../support/origin-server.ts';

let server: OriginServer;
beforeEach(async () => {
  server = await startOriginServer();
});
afterEach(() => server.close());

const find = (ecosystem: Ecosystem, name: string) =>
  askServer(server).findFirstPublication({ ecosystem, name });

it('is when a package was created on npm', async () => {
  const time = { created: '2026-03-30T05:57:32.000Z', '4.2.1': '2026-03-30T23:59:12.000Z' };
  server.serve('/@scope%2fa', { body: { name: '@scope/a', versions: {}, time } });

  expect(await find('npm', '@scope/a')).toBe('2026-03-30T05:57:32.000Z');
});

it('is the time of the first version if an npm mirror does not know the creation', async () => {
  const time = { '1.1.0': '2026-03-02T00:00:00.5+00:00', '1.0.0': '2026-03-01T00:00:00.5+00:00' };
  server.serve('/a', { body: { name: 'a', versions: {}, time } });

  expect(await find('npm', 'a')).toBe('2026-03-01T00:00:00.500Z');
});

it('is when the first file was uploaded to PyPI', async () => {
  const file = (number: string, uploaded?: string) => ({
    filename: `a-${number}.tar.gz`,
    url: `${server.url}/a-${number}.tar.gz`,
    hashes: {},
    ...(uploaded && { 'upload-time': uploaded }),
  });
  server.serve('/simple/a/', {
    headers: { 'Content-Type': 'application/vnd.pypi.simple.v1+json' },
    body: {
      name: 'a',
      files: [
        file('2.0', '2026-02-01T00:00:00.5Z'),
        file('1.0', '2026-01-01T00:00:00.5Z'),
        file('3.0'),
      ],
    },
  });

  expect(await find('pypi', 'a')).toBe('2026-01-01T00:00:00.500Z');
});

it("is the time of the first version's POM in a Maven repository", async () => {
  server.serve('/org/example/lib/maven-metadata.xml', {
    body: '<metadata><versioning><versions><version>1.0</version><version>1.1</version></versions></versioning></metadata>',
  });
  server.serve('/org/example/lib/1.0/lib-1.0.pom', {
    headers: { 'Last-Modified': 'Tue, 10 Oct 2023 18:21:05 GMT' },
    body: '<project><groupId>org.example</groupId><artifactId>lib</artifactId><version>1.0</version></project>',
  });

  expect(await find('maven', 'org.example:lib')).toBe('2023-10-10T18:21:05.000Z');
});

it.each<[string, Ecosystem, string, object | undefined]>([
  ['a name that npm does not have', 'npm', 'a', undefined],
  ['a packument without times', 'npm', 'a', { body: { name: 'a', versions: {} } }],
  ['an answer that is no JSON', 'npm', 'a', { body: 'what?' }],
  ['an origin that fails', 'npm', 'a', { status: 403 }],
  ['a name that PyPI does not have', 'pypi', 'a', undefined],
  ['an artifact without metadata', 'maven', 'org.example:lib', undefined],
  ['an image', 'docker', 'library/alpine', undefined],
])('is unknown of %s', async (_, ecosystem, name, answer) => {
  if (answer) server.serve('/a', answer);

  expect(await find(ecosystem, name)).toBeNull();
});
