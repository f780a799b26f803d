import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type OciRegistry, startOciRegistry } from './oci-registry.ts';
import { imageTypes } from './oci-store.ts';

let registry: OciRegistry;

beforeEach(async () => {
  registry = await startOciRegistry();
});
afterEach(() => registry.close());

const get = (path: string) => fetch(`${registry.url}/v2/shop/${path}`);
const getJson = async (path: string) => JSON.parse(await (await get(path)).text());

describe('an image', () => {
  it.each(['oci', 'docker'] as const)('of %s has config, layer and platform', async (flavour) => {
    const config = { User: '1000', Labels: { a: 'b' } };
    const image = { platform: 'linux/arm64/v8', config, layerSize: 5000, flavour };
    const created = '2026-01-02T03:04:05Z';
    const digest = registry.pushImage('shop', { ...image, created });

    const manifest = await getJson(`manifests/${digest}`);
    const { manifest: mediaType, layer, config: configType } = imageTypes[flavour];
    expect(manifest).toMatchObject({
      ...{ schemaVersion: 2, mediaType, config: { mediaType: configType } },
      layers: [{ mediaType: layer, size: 5000 }],
    });
    expect(await getJson(`blobs/${manifest.config.digest}`)).toEqual({
      ...{ os: 'linux', architecture: 'arm64', variant: 'v8', created, config },
      rootfs: { type: 'layers', diff_ids: [manifest.layers[0].digest] },
    });
    const bytes = await (await get(`blobs/${manifest.layers[0].digest}`)).bytes();
    expect(bytes).toHaveLength(5000);
  });

  it('moves with its tag', async () => {
    const [one, other] = ['amd64', 'arm64'].map((architecture) =>
      registry.pushImage('shop', { platform: `linux/${architecture}`, tag: 'latest' }),
    );
    const find = async () => (await get('manifests/latest')).headers.get('docker-content-digest');

    expect(await find()).toBe(other);
    registry.moveTag('shop', 'latest', String(one));
    expect(await find()).toBe(one);
  });

  it('is deleted with its tags, and a tag without its image', async () => {
    const digest = registry.pushImage('shop', { tag: 'a' });
    for (const tag of ['b', 'c']) registry.moveTag('shop', tag, digest);

    registry.deleteManifest('shop', 'a');
    expect((await get('manifests/a')).status).toBe(404);
    expect((await get(`manifests/${digest}`)).status).toBe(200);
    registry.deleteManifest('shop', digest);
    expect((await get(`manifests/${digest}`)).status).toBe(404);
    expect((await getJson('tags/list')).tags).toEqual([]);
  });
});

it('an index describes its images as they are', async () => {
  const digest = registry.pushImage('shop', { flavour: 'docker' });
  const annotations = { 'vnd.docker.reference.type': 'attestation-manifest' };
  const index = registry.pushIndex(
    'shop',
    [
      { digest, platform: 'linux/arm/v7' },
      { digest, platform: 'unknown/unknown', annotations },
    ],
    { flavour: 'docker', tag: 'latest' },
  );

  const size = (await (await get(`manifests/${digest}`)).bytes()).length;
  const descriptor = { mediaType: imageTypes.docker.manifest, digest, size };
  expect(await getJson(`manifests/${index}`)).toEqual({
    ...{ schemaVersion: 2, mediaType: imageTypes.docker.index },
    manifests: [
      { ...descriptor, platform: { os: 'linux', architecture: 'arm', variant: 'v7' } },
      { ...descriptor, platform: { os: 'unknown', architecture: 'unknown' }, annotations },
    ],
  });
});

it('a manifest may be any bytes, and of any type', async () => {
  const digest = registry.pushManifest('shop', 'no JSON', { mediaType: 'text/odd', tag: 'odd' });

  const response = await get('manifests/odd');
  expect(response.headers.get('content-type')).toBe('text/odd');
  expect(await response.text()).toBe('no JSON');
  expect((await getJson(`referrers/${digest}`)).manifests).toEqual([]);
});

describe('a referrer', () => {
  const artifact = { artifactType: 'application/vnd.example', mediaType: 'text/plain' };

  it('has one layer, an empty config and a subject', async () => {
    const subject = registry.pushImage('shop');
    const digest = registry.addReferrer('shop', subject, { ...artifact, bytes: 'signed' });

    const manifest = await getJson(`manifests/${digest}`);
    const size = (await (await get(`manifests/${subject}`)).bytes()).length;
    expect(manifest).toMatchObject({
      ...{ artifactType: artifact.artifactType, layers: [{ mediaType: 'text/plain', size: 6 }] },
      config: { mediaType: 'application/vnd.oci.empty.v1+json', size: 2 },
      subject: { mediaType: imageTypes.oci.manifest, digest: subject, size },
    });
    expect(await (await get(`blobs/${manifest.layers[0].digest}`)).text()).toBe('signed');
  });

  it('is under the fallback tag where the registry has no API for it', async () => {
    await registry.close();
    registry = await startOciRegistry({ hasReferrersApi: false });
    const subject = registry.pushImage('shop');
    const digests = ['one', 'two'].map((bytes) =>
      registry.addReferrer('shop', subject, { ...artifact, bytes }),
    );

    const refused = await get(`referrers/${subject}`);
    expect(refused.status).toBe(404);
    const index = await getJson(`manifests/${subject.replace(':', '-')}`);
    expect(index.mediaType).toBe(imageTypes.oci.index);
    const listed = index.manifests.map(({ digest }: { digest: string }) => digest);
    expect(listed).toEqual(digests.toSorted());
  });
});

it('a blob may be elsewhere', async () => {
  await registry.close();
  const storage = await startOciRegistry();
  registry = await startOciRegistry({ redirectBlobsTo: (path) => `${storage.url}${path}` });
  for (const one of [registry, storage]) one.pushBlob('shop', 'content');
  const digest = registry.pushBlob('shop', 'content');

  const response = await fetch(`${registry.url}/v2/shop/blobs/${digest}`, { redirect: 'manual' });
  expect(response.status).toBe(307);
  expect(await (await get(`blobs/${digest}`)).text()).toBe('content');
  expect(storage.requests.map(({ path }) => path)).toEqual([`/v2/shop/blobs/${digest}`]);
  await storage.close();
});

it('a request is kept with path, method and headers, also under the name of the host', async () => {
  const port = registry.host.split(':')[1];
  const headers = { 'X-Test': 'yes' };
  await fetch(`http://localhost:${port}/v2/?a=b`, { method: 'HEAD', headers });

  expect(registry.requests).toEqual([
    { method: 'HEAD', path: '/v2/?a=b', headers: expect.objectContaining({ 'x-test': 'yes' }) },
  ]);
});
