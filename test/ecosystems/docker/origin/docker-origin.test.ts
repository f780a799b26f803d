import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CollectedRelease } from '../../../../shared/domain/facts/collected-facts.ts';
import type { ImageRegistry } from '../../../../shared/ecosystems/docker/origin/image-registry.ts';
import { byEcosystem, ecosystems } from '../../../../shared/ecosystems/ecosystem.ts';
import {
  createOriginClient,
  type OriginSettings,
} from '../../../../shared/ecosystems/origin-client.ts';
import { type OciRegistry, startOciRegistry } from '../../../support/oci-registry.ts';
import { type OriginServer, startOriginServer } from '../../../support/origin-server.ts';

type RegistryOptions = NonNullable<Parameters<typeof startOciRegistry>[0]>;

/** Docker Hub's web API. */
let hub: OriginServer;
let registry: OciRegistry;

const start = async (options: RegistryOptions = {}): Promise<void> => {
  await registry?.close();
  registry = await startOciRegistry(options);
};

beforeEach(async () => {
  hub = await startOriginServer();
  await start({ auth: 'bearer' });
});

afterEach(async () => {
  await hub.close();
  await registry.close();
});

/** Image names have the host of the registry, which is not in the names of Docker Hub's images. */
const listRegistries = (): ImageRegistry[] => [
  { host: 'docker.io', url: registry.url },
  { host: 'registry.example.com', url: registry.url },
];

const open = (settings: Partial<OriginSettings> = {}) =>
  createOriginClient({
    addresses: byEcosystem(ecosystems, () => hub.url),
    imageRegistries: listRegistries(),
    timeoutMs: 20_000,
    backoffMs: 1,
    ...settings,
  });

const ask = (
  name: string,
  version: string,
  { known, ...settings }: Partial<OriginSettings> & { readonly known?: CollectedRelease } = {},
) => open(settings).collectFacts({ ecosystem: 'docker', name, version }, known);

const shop = 'registry.example.com/acme/shop';

/** Fetches what the origin has, and fails if the fetch did. */
const collect = async (...args: Parameters<typeof ask>): Promise<CollectedRelease> => {
  const collected = await ask(...args);
  expect(collected).toMatchObject({ outcome: 'answered' });
  const { outcome: _, ...release } = collected as CollectedRelease & { readonly outcome: string };
  return release;
};

const config = {
  Entrypoint: ['/docker-entrypoint.sh'],
  Cmd: ['nginx', '-g', 'daemon off;'],
  User: '101',
  Labels: {
    'org.opencontainers.image.description': 'A shop',
    'org.opencontainers.image.licenses': 'Apache-2.0',
    'org.opencontainers.image.source': 'https://git.example.com/acme/shop',
    'org.opencontainers.image.url': 'https://shop.example.com',
    team: 'payments',
  },
};

const pushShop = (tag = '2.0', more: { readonly flavour?: 'oci' | 'docker' } = {}) => {
  const amd = registry.pushImage('acme/shop', { platform: 'linux/amd64', config, ...more });
  const arm = registry.pushImage('acme/shop', { platform: 'linux/arm64/v8', ...more });
  const entries = [
    { digest: arm, platform: 'linux/arm64/v8' },
    { digest: amd, platform: 'linux/amd64' },
  ];
  return { amd, arm, index: registry.pushIndex('acme/shop', entries, { tag, ...more }) };
};

/** Paths of requests for manifests, without those for tokens and configurations. */
const listPulls = (): string[] =>
  registry.requests
    .filter(({ method, path }) => method === 'GET' && path.includes('/manifests/'))
    .map(({ path }) => path);

describe('an image of any registry', () => {
  it.each(['oci', 'docker'] as const)(
    'has the digests of its %s index, and what its configuration says',
    async (flavour) => {
      const { amd, arm, index } = pushShop('2.0', { flavour });

      const { facts, manifest, details } = await collect(shop, '2.0');

      expect(facts).toMatchObject({
        ...{ found: 'yes', name_found: true, description: 'A shop', license: 'Apache-2.0' },
        ...{ repository: 'https://git.example.com/acme/shop', provenance: false },
        ...{ homepage: 'https://shop.example.com/', published_at: null, install_scripts: [] },
      });
      expect(manifest).toEqual({
        ...{ kind: 'docker', digest: index },
        images: [
          { platform: 'linux/arm64/v8', digest: arm, size: null },
          { platform: 'linux/amd64', digest: amd, size: expect.any(Number) },
        ],
      });
      expect(details).toMatchObject({
        ...{ described: true, entrypoint: '["/docker-entrypoint.sh"]', user: '101' },
        command: '["nginx","-g","daemon off;"]',
      });
      expect(details?.labels).toContainEqual(
        expect.objectContaining({ name: 'team', text: 'payments' }),
      );
      expect(hub.requests).toEqual([]);
    },
  );

  it('may be of one platform, and by its digest', async () => {
    const digest = registry.pushImage('acme/shop', { config, tag: '1.0' });
    const expected = { kind: 'docker', digest, images: [] };

    expect((await collect(shop, '1.0')).manifest).toEqual(expected);
    expect((await collect(shop, digest)).manifest).toEqual(expected);
  });

  it('is found by the digest of its index', async () => {
    const { index } = pushShop();

    expect((await collect(shop, index)).manifest).toMatchObject({ digest: index });
  });

  it('has no images of attestations, and those of BuildKit are not signed', async () => {
    const image = registry.pushImage('acme/shop', {});
    const entries = [
      { digest: image, platform: 'linux/amd64' },
      {
        digest: registry.pushImage('acme/shop', { platform: 'unknown/unknown' }),
        platform: 'unknown/unknown',
        annotations: { 'vnd.docker.reference.type': 'attestation-manifest' },
      },
    ];
    registry.pushIndex('acme/shop', entries, { tag: '1' });

    const { facts, manifest } = await collect(shop, '1');

    expect(facts.provenance).toBe(true);
    expect(manifest).toMatchObject({ images: [{ digest: image }] });
  });

  it('has an image that a cluster runs, also if its publisher calls it an attestation', async () => {
    const annotations = { 'vnd.docker.reference.type': 'attestation-manifest' };
    const image = registry.pushImage('acme/shop', {});
    const hidden = registry.pushImage('acme/shop', { config: { User: 'root' } });
    const entries = [
      { digest: hidden, platform: 'linux/amd64', annotations },
      { digest: image, platform: 'linux/amd64' },
    ];
    registry.pushIndex('acme/shop', entries, { tag: '1' });

    const { facts, manifest } = await collect(shop, '1');

    expect(facts.provenance).toBe(false);
    expect(manifest).toMatchObject({ images: [{ digest: hidden }, { digest: image }] });
  });

  it('lists at most 200 images, and says that there are more', async () => {
    const digest = registry.pushImage('acme/shop', {});
    const entries = Array.from({ length: 250 }, () => ({ digest, platform: 'linux/amd64' }));
    registry.pushIndex('acme/shop', entries, { tag: '1' });

    const { manifest } = await collect(shop, '1');

    expect(manifest).toMatchObject({ kind: 'docker', isPartial: true });
    expect(manifest?.kind === 'docker' && manifest.images).toHaveLength(200);
  });

  it('is not asked at a registry that the settings do not name', async () => {
    expect(await ask('quay.io/a/b', '1')).toMatchObject({
      ...{ outcome: 'failed', passing: false },
      facts: {
        ...{ found: 'unknown', name_found: null },
        reason: 'quay.io is not among the image registries of the settings, so it was not asked',
      },
    });
    expect(registry.requests).toEqual([]);
  });

  it('is missing without its tag, or without its repository', async () => {
    pushShop();

    expect((await collect(shop, '0.0')).facts).toMatchObject({
      ...{ found: 'no', name_found: true },
      reason: expect.stringMatching(/has registry\.example\.com\/acme\/shop, but no tag 0\.0$/),
    });
    expect((await collect(`${shop}-other`, '2.0')).facts).toMatchObject({
      ...{ found: 'no', name_found: false },
      reason: expect.stringContaining(`has no image ${shop}-other`),
    });
  });
});

describe('an image of Docker Hub', () => {
  const digestOf = (letter: string): string => `sha256:${letter.repeat(64)}`;
  const nginx = '/v2/repositories/library/nginx';
  const description = 'Official build of Nginx.';

  it.each(['nginx', 'library/nginx', 'docker.io/nginx', 'index.docker.io/library/nginx'])(
    'has the same registry as others, and its web API says more: %s',
    async (name) => {
      const amd = registry.pushImage('library/nginx', { config });
      const arm = registry.pushImage('library/nginx', { platform: 'linux/arm64' });
      const index = registry.pushIndex(
        'library/nginx',
        [
          { digest: amd, platform: 'linux/amd64' },
          { digest: arm, platform: 'linux/arm64' },
        ],
        { tag: '1.27' },
      );
      hub.serve(`${nginx}/`, { body: { description } });
      hub.serve(`${nginx}/tags/1.27`, {
        body: {
          tag_last_pushed: '2024-05-30T02:13:04.123456Z',
          images: [{ digest: arm, size: 71_000 }, { digest: digestOf('f'), size: 1 }, 'nonsense'],
        },
      });

      const { facts, manifest } = await collect(name, '1.27');

      expect(facts).toMatchObject({ published_at: '2024-05-30T02:13:04.123Z', description });
      expect(manifest).toMatchObject({
        digest: index,
        images: [
          { digest: amd, size: expect.any(Number) },
          { digest: arm, size: 71_000 },
        ],
      });
    },
  );

  it.each([
    ['is no JSON', { body: 'no JSON' }],
    ['is 503', { status: 503 }],
  ])('needs no answer of the web API, which %s, and gets it later', async (_, reply) => {
    const digest = registry.pushImage('grafana/grafana', { config, tag: '11' });
    const path = '/v2/repositories/grafana/grafana';
    hub.serve(`${path}/`, reply);

    const known = await collect('grafana/grafana', '11');

    expect(known.facts).toMatchObject({ found: 'yes', published_at: null, description: 'A shop' });
    expect(known.manifest).toMatchObject({ digest });

    hub.serve(`${path}/`, { body: { description: 'Dashboards' } });
    hub.serve(`${path}/tags/11`, { body: { tag_last_pushed: '2024-05-30T02:13:04Z' } });
    expect((await collect('grafana/grafana', '11', { known })).facts).toMatchObject({
      published_at: '2024-05-30T02:13:04.000Z',
      description: 'Dashboards',
    });
  });

  it.each([
    [{ description: 'DEPRECATED; The official build of CentOS.' }, 'DEPRECATED;'],
    [{ full_description: '# **DEPRECATION NOTICE**\n\nUse another.' }, '# **DEPRECATION NOTICE**'],
    [{ description: 'Finds deprecated calls' }, null],
  ])('is deprecated as its repository says: %j', async (reported, expected) => {
    registry.pushImage('library/nginx', { tag: '1.27' });
    hub.serve(`${nginx}/`, { body: { description, ...reported } });

    const { deprecated } = (await collect('nginx', '1.27')).facts;

    if (expected === null) expect(deprecated).toBeNull();
    else expect(deprecated).toContain(expected);
  });

  it.each([1e300, -1, 1.5, '7'])('has no size of %j', async (size) => {
    const digest = registry.pushImage('library/nginx', { platform: 'linux/arm64' });
    const first = registry.pushImage('library/nginx', {});
    registry.pushIndex('library/nginx', [{ digest: first }, { digest }], { tag: '1.27' });
    hub.serve(`${nginx}/`, { body: { description } });
    hub.serve(`${nginx}/tags/1.27`, { body: { images: [{ digest, size }] } });

    expect((await collect('nginx', '1.27')).manifest).toMatchObject({
      images: [{ digest: first }, { digest, size: null }],
    });
  });

  it('may become deprecated without a change of the image', async () => {
    registry.pushImage('library/nginx', { tag: '1.27' });
    hub.serve(`${nginx}/`, { body: { description } }, { body: { description: 'DEPRECATED' } });
    const known = await collect('nginx', '1.27');

    expect(known.facts.deprecated).toBeNull();
    expect((await collect('nginx', '1.27', { known })).facts.deprecated).toBe('DEPRECATED');
  });
});

describe('a tag whose image is known', () => {
  it('costs no pull while it is not moved', async () => {
    pushShop();
    const known = await collect(shop, '2.0');
    const pulls = listPulls();

    expect(pulls).toHaveLength(3);
    expect(await collect(shop, '2.0', { known })).toEqual(known);
    expect(listPulls()).toEqual(pulls);
  });

  it('is fetched again while its configuration was never read', async () => {
    pushShop();
    const blobs = /\/blobs\//;
    registry.setFault(blobs, { status: 403 });
    const known = await collect(shop, '2.0');
    registry.setFault(blobs, undefined);

    expect(known.details).toEqual({ described: false, sboms: [] });
    expect((await collect(shop, '2.0', { known })).details).toMatchObject({ user: '101' });
  });

  it('is fetched again after it was moved', async () => {
    pushShop();
    const known = await collect(shop, '2.0');
    const moved = registry.pushImage('acme/shop', { config: { User: 'root' } });
    registry.moveTag('acme/shop', '2.0', moved);

    const { manifest, details } = await collect(shop, '2.0', { known });

    expect(manifest).toMatchObject({ digest: moved });
    expect(details).toMatchObject({ user: 'root' });
  });

  it.each(['2.0', 'digest'])('is missing after it was deleted: %s', async (by) => {
    const { index } = pushShop();
    const version = by === 'digest' ? index : by;
    const known = await collect(shop, version);
    registry.deleteManifest('acme/shop', index);
    registry.deleteManifest('acme/shop', '2.0');

    expect((await collect(shop, version, { known })).facts.found).toBe('no');
  });
});

describe('access to a registry', () => {
  const credentials = { username: 'reader', password: 'open sesame' };
  const users = { [credentials.username]: credentials.password };
  const basic = `Basic ${Buffer.from('reader:open sesame').toString('base64')}`;
  const findAuthorization = async (host: string) =>
    host === new URL(registry.url).host ? basic : undefined;

  it('is with a token for reading this repository, which is fetched once', async () => {
    const digest = registry.pushImage('acme/shop', { tag: '1' });
    const client = open();
    const id = { ecosystem: 'docker', name: shop, version: '1' } as const;

    await client.collectFacts(id);
    await client.collectFacts({ ...id, version: digest });

    const tokens = registry.requests.filter(({ path }) => path.startsWith('/token'));
    expect(tokens).toHaveLength(1);
    expect(tokens[0]?.path).toContain(encodeURIComponent('repository:acme/shop:pull'));
    expect(tokens[0]?.headers.authorization).toBeUndefined();
  });

  it('gets another token when the first one has expired', async () => {
    await start({ auth: 'bearer', tokenLifetimeSeconds: 1 });
    pushShop();

    expect((await collect(shop, '2.0')).facts.found).toBe('yes');
  });

  it.each(['bearer', 'basic'] as const)('uses credentials for %s', async (auth) => {
    await start({ auth, users, private: ['acme/shop'] });
    pushShop();

    expect((await collect(shop, '2.0', { findAuthorization })).facts.found).toBe('yes');
  });

  it.each(['bearer', 'basic'] as const)(
    'without credentials for %s leaves a private image unknown',
    async (auth) => {
      await start({ auth, users, private: ['acme/shop'] });
      pushShop();

      const { facts } = await ask(shop, '2.0');

      expect(facts.found).toBe('unknown');
      expect(facts.reason).toMatch(/the image is private, or does not exist|refused the request/);
    },
  );

  it('never sends an authorization to the host of a redirect', async () => {
    const storage = await startOriginServer();
    await start({
      auth: 'bearer',
      users,
      redirectBlobsTo: (path) => `${storage.url}${path}`,
    });
    pushShop();

    await collect(shop, '2.0', { findAuthorization });

    expect(storage.requests.length).toBeGreaterThan(0);
    for (const { headers } of storage.requests) expect(headers.authorization).toBeUndefined();
    await storage.close();
  });
});
