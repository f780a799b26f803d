import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ListValidator } from '../../../shared/domain/facts/list-validator.ts';
import { askServer, type OriginServer, startOriginServer } from '../../support/origin-server.ts';

let server: OriginServer;
beforeAll(async () => {
  server = await startOriginServer();
});
afterAll(() => server.close());

const version = '1.0.0';
const published = '2020-01-01T00:00:00.000Z';

const serveNpm = (name: string, fields: object, headers: Record<string, string> = {}): void => {
  const dist = { tarball: 'https://example.com/a.tgz', shasum: 'a'.repeat(40) };
  const own = { name, version, license: 'MIT', description: 'Pads', dist, ...fields };
  const body = { name, versions: { [version]: own }, time: { [version]: published } };
  server.serve(`/${name}`, { headers, body });
};

const servePypi = (name: string, fields: object, headers: Record<string, string> = {}): void => {
  const file = { filename: `${name}-${version}.tar.gz`, url: `${server.url}/${name}.tar.gz` };
  const files = [{ ...file, hashes: { sha256: 'a'.repeat(64) }, 'upload-time': published }];
  const type = { 'Content-Type': 'application/vnd.pypi.simple.v1+json' };
  server.serve(`/simple/${name}/`, {
    headers: { ...type, ...headers },
    body: { name, files: files.map((one) => ({ ...one, ...fields })) },
  });
};

/** Collects a version alone. */
const collect = async (ecosystem: 'npm' | 'pypi', name: string) => {
  const collected = await askServer(server).collectFacts({ ecosystem, name, version });
  if (collected.outcome !== 'answered') throw new Error(collected.facts.reason ?? '');
  return collected;
};

const list = async (ecosystem: 'npm' | 'pypi', name: string, known?: ListValidator) => {
  const listed = await askServer(server).fetchPackageList({ ecosystem, name }, known);
  if (listed.outcome !== 'answered') throw new Error(`The list is ${listed.outcome}`);
  return listed;
};

describe.each([
  ['npm', serveNpm, { deprecated: 'use another one' }],
  ['pypi', servePypi, { yanked: 'broken' }],
] as const)('the list of %s', (ecosystem, serve, withdrawal) => {
  const ask = (name: string, known: ListValidator | undefined) =>
    askServer(server).fetchPackageList({ ecosystem, name }, known);

  it('has the digest that a version has when it is collected alone, until it changes', async () => {
    const name = `same-${ecosystem}`;
    serve(name, {});
    const { facts, listing } = await collect(ecosystem, name);
    const before = (await list(ecosystem, name)).digestOf(version);
    serve(name, withdrawal);
    const after = (await list(ecosystem, name)).digestOf(version);

    expect(facts.found).toBe('yes');
    expect(listing).toMatch(/^[\w-]{22}$/);
    expect(before).toBe(listing);
    expect(after).toMatch(/^[\w-]{22}$/);
    expect(after).not.toBe(before);
    expect((await list(ecosystem, name)).digestOf('9.9.9')).toBeUndefined();
  });

  it('is unchanged if its bytes are the same, and if the origin says so', async () => {
    const name = `kept-${ecosystem}`;
    serve(name, {}, { ETag: '"one"' });
    const { validator } = await list(ecosystem, name);
    expect(validator).toEqual({ digest: expect.any(String), etag: '"one"' });
    expect(await ask(name, validator)).toEqual({ outcome: 'unchanged' });
    expect(server.requests.at(-1)?.headers['if-none-match']).toBe('"one"');

    const path = ecosystem === 'npm' ? `/${name}` : `/simple/${name}/`;
    server.serve(path, { status: 304 });
    expect(await ask(name, validator)).toEqual({ outcome: 'unchanged' });
    // Without a request for it, it is no answer.
    expect(await ask(name, undefined)).toMatchObject({ outcome: 'unlisted' });
  });

  it('has no ETag that is too long or malformed', async () => {
    const name = `odd-${ecosystem}`;
    for (const etag of [`"${'a'.repeat(300)}"`, 'plain', '']) {
      serve(name, {}, { ETag: etag });
      expect((await list(ecosystem, name)).validator.etag).toBeUndefined();
    }
  });

  it('is missing for an unknown name, and postponed by an origin that fails', async () => {
    expect(await ask('never-published', undefined)).toEqual({ outcome: 'unknown_name' });
    const path = ecosystem === 'npm' ? '/away' : '/simple/away/';
    server.serve(path, { status: 503 });
    expect(await ask('away', undefined)).toMatchObject({ outcome: 'failed' });
    server.serve(path, { body: '<!doctype html>' });
    expect(await ask('away', undefined)).toMatchObject({ outcome: 'unlisted' });
  });
});

it('describes no version of an abbreviated packument', async () => {
  const body = { name: 'short', versions: { [version]: { name: 'short', version, dist: {} } } };
  server.serve('/short', { body });
  const { listing } = await collect('npm', 'short');

  expect(listing).toBeUndefined();
  expect((await list('npm', 'short')).digestOf(version)).toBeUndefined();
});

it.each([
  ['maven', 'org.acme:tool'],
  ['docker', 'nginx'],
] as const)('does not exist for %s, and makes no request', async (ecosystem, name) => {
  const before = server.requests.length;

  expect(await askServer(server).fetchPackageList({ ecosystem, name }, undefined)).toMatchObject({
    outcome: 'unlisted',
  });
  expect(server.requests).toHaveLength(before);
});
