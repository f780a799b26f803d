import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { askServer, type OriginServer, startOriginServer } from '../../../support/origin-server.ts';

let server: OriginServer;

beforeEach(async () => {
  server = await startOriginServer();
});

afterEach(() => server.close());

const digest = (letter: string): string => `sha256:${letter.repeat(64)}`;

const nginx = '/v2/repositories/library/nginx';

/** A tag as Docker's documents of its API have it, with digests. */
const tag = {
  creator: 1234,
  name: '1.27',
  full_size: 123456,
  last_updated: '2024-06-01T00:00:00.5Z',
  tag_status: 'active',
  tag_last_pushed: '2024-05-30T02:13:04.123456Z',
  digest: digest('a'),
  images: [
    { architecture: 'amd64', os: 'linux', variant: null, size: 70_000, digest: digest('b') },
    { architecture: 'arm64', os: 'linux', variant: 'v8', size: 71_000, digest: digest('c') },
    { architecture: 'unknown', os: 'unknown', size: 1_000, digest: digest('d') },
    { architecture: 's390x', os: 'linux' },
    'nonsense',
  ],
};

const repository = { name: 'nginx', namespace: 'library', description: 'Official build of Nginx.' };

const ask = (name: string, version: string) =>
  askServer(server).collectFacts({ ecosystem: 'docker', name, version });

const images = [
  { platform: 'linux/amd64', digest: digest('b'), size: 70_000 },
  { platform: 'linux/arm64/v8', digest: digest('c'), size: 71_000 },
];

describe('an image', () => {
  it('has the facts of its tag', async () => {
    server.serve(`${nginx}/`, { body: repository });
    server.serve(`${nginx}/tags/1.27`, { body: tag });

    expect(await ask('nginx', '1.27')).toEqual({
      outcome: 'answered',
      facts: {
        found: 'yes',
        reason: null,
        name_found: true,
        published_at: '2024-05-30T02:13:04.123Z',
        licenses_declared: [],
        license: null,
        license_declaration: 'unknown',
        license_statement: null,
        description: 'Official build of Nginx.',
        homepage: null,
        repository: null,
        deprecated: null,
        yanked: null,
        install_scripts: [],
        provenance: true,
        newest_version: null,
      },
      manifest: { kind: 'docker', digest: digest('a'), images },
    });
  });

  it.each(['nginx', 'library/nginx', 'docker.io/nginx', 'docker.io/library/nginx'])(
    'is the official one as %s',
    async (name) => {
      server.serve(`${nginx}/`, { body: repository });
      server.serve(`${nginx}/tags/1.27`, { body: tag });

      expect((await ask(name, '1.27')).facts.found).toBe('yes');
    },
  );

  it('has a namespace', async () => {
    server.serve('/v2/repositories/grafana/grafana/', { body: repository });
    server.serve('/v2/repositories/grafana/grafana/tags/11', { body: tag });

    expect((await ask('grafana/grafana', '11')).facts.found).toBe('yes');
  });

  it.each([
    [digest('a'), images],
    [digest('c'), [images[1]]],
  ])('is found by the digest %s', async (version, expected) => {
    server.serve(`${nginx}/`, { body: repository });
    server.serve(`${nginx}/tags?page_size=100`, { body: { results: [{ name: 'other' }, tag] } });

    const { facts, manifest } = await ask('nginx', version);

    expect(facts.found).toBe('yes');
    expect(manifest).toEqual({ kind: 'docker', digest: version, images: expected });
  });

  it('may have a digest that no tag stands for any more', async () => {
    server.serve(`${nginx}/`, { body: repository });
    server.serve(`${nginx}/tags?page_size=100`, { body: { results: [tag] } });

    expect(await ask('nginx', digest('f'))).toMatchObject({
      outcome: 'failed',
      passing: false,
      facts: {
        found: 'unknown',
        reason: expect.stringContaining(`${server.host} finds no digests`),
      },
    });
  });

  it.each([
    [
      { description: 'DEPRECATED; The official build of CentOS.' },
      'DEPRECATED; The official build of CentOS.',
    ],
    [
      { full_description: '# **DEPRECATION NOTICE**\n\nUse another.' },
      '# **DEPRECATION NOTICE** Use another.',
    ],
    [{ description: 'Finds deprecated calls' }, null],
  ])('is deprecated as its repository says: %j', async (reported, expected) => {
    server.serve(`${nginx}/`, { body: { ...repository, ...reported } });
    server.serve(`${nginx}/tags/1.27`, { body: tag });

    expect((await ask('nginx', '1.27')).facts.deprecated).toBe(expected);
  });

  it('may be of a tag without anything', async () => {
    server.serve(`${nginx}/`, { body: {} });
    server.serve(`${nginx}/tags/1.27`, { body: { images: null, digest: 'sha256:short' } });

    const { facts, manifest } = await ask('nginx', '1.27');

    expect(facts).toMatchObject({ found: 'yes', published_at: null, provenance: null });
    expect(manifest).toEqual({ kind: 'docker', digest: null, images: [] });
  });
});

describe('an image that Docker Hub does not have', () => {
  it('is one of a repository that it has', async () => {
    server.serve(`${nginx}/`, { body: repository });

    expect((await ask('nginx', '0.0')).facts).toMatchObject({
      found: 'no',
      name_found: true,
      reason: `${server.host} has nginx, but no tag 0.0`,
    });
  });

  it('is one of no repository', async () => {
    expect((await ask('nobody/nothing', '1')).facts).toMatchObject({
      found: 'no',
      name_found: false,
      reason: `${server.host} has no image nobody/nothing`,
    });
  });

  it.each(['ghcr.io/owner/image', 'localhost:5000/image', 'quay.io/a/b'])(
    'is one of another registry, which nobody asks: %s',
    async (name) => {
      expect(await ask(name, '1')).toMatchObject({
        outcome: 'failed',
        passing: false,
        facts: { found: 'unknown', name_found: null },
      });
      expect(server.requests).toEqual([]);
    },
  );
});
