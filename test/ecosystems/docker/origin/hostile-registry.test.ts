import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { digestBytes } from '../../../../shared/ecosystems/docker/origin/manifest-document.ts';
import { type OciRegistry, startOciRegistry } from '../../../support/oci-registry.ts';
import { useSimulatedClock } from '../../../support/simulated-clock.ts';
import { answerWith, answerWithoutEnd, askImage } from './ask-image.ts';

const clock = useSimulatedClock();
let registry: OciRegistry;

beforeEach(async () => {
  registry = await startOciRegistry();
});

afterEach(() => registry.close());

const types = {
  index: 'application/vnd.oci.image.index.v1+json',
  list: 'application/vnd.docker.distribution.manifest.list.v2+json',
  image: 'application/vnd.oci.image.manifest.v1+json',
  config: 'application/vnd.oci.image.config.v1+json',
} as const;

const manifests = /\/manifests\//;

const digestOf = (letter: string): string => `sha256:${letter.repeat(64)}`;

const ask = (version = '1', settings: Parameters<typeof askImage>[2] = {}) =>
  askImage(registry, version, settings);

/** Stores a manifest of any content, and returns the outcome of its tag. */
const askManifest = (manifest: object | string, mediaType: string = types.image) => {
  registry.pushManifest('acme/shop', manifest, { mediaType, tag: '1' });
  return ask();
};

const image = () => ({ mediaType: types.image, digest: registry.pushImage('acme/shop') });

const refusal = (reason: string | RegExp) => ({
  ...{ outcome: 'failed', passing: false, manifest: null },
  facts: { found: 'unknown', name_found: null, reason: expect.stringMatching(reason) },
});

describe('a manifest', () => {
  it('of more than 4 MiB is not read to its end', async () => {
    registry.setFault(manifests, answerWithoutEnd({ 'Content-Type': types.image }));

    expect(await ask()).toMatchObject(refusal(/ responded with more than 4 MiB$/));
  });

  it('may not grow when it is unpacked', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, ' '));
    registry.setFault(manifests, answerWith(bomb, { 'Content-Encoding': 'gzip' }));

    expect(await ask()).toMatchObject(refusal(/ responded with more than 4 MiB$/));
  });

  it('has the digest of its unpacked bytes', async () => {
    const text = JSON.stringify({ schemaVersion: 2, mediaType: types.index, manifests: [] });
    registry.setFault(
      manifests,
      answerWith(gzipSync(text), { 'Content-Type': types.index, 'Content-Encoding': 'gzip' }),
    );

    expect((await ask()).manifest).toMatchObject({ digest: digestBytes(Buffer.from(text)) });
  });

  it.each<[string, string]>([
    ['is cut off', 'Content-Length'],
    ['is cut off within chunks', 'Transfer-Encoding'],
  ])('that %s may arrive later', async (_, header) => {
    registry.setFault(manifests, (_request, response) => {
      response.writeHead(200, header === 'Content-Length' ? { [header]: 1_000 } : {});
      response.write('{"schemaVersion": 2', () => response.destroy());
    });

    expect(await ask()).toMatchObject({ outcome: 'failed', passing: true });
  });

  it('that never comes may come later', async () => {
    registry.setFault(manifests, () => clock.passToLimit());

    expect(await ask('1', { timeoutMs: 100 })).toMatchObject({
      ...{ outcome: 'failed', passing: true },
      facts: { reason: `${registry.host} did not respond within 0.1 s` },
    });
  });

  it('with another digest in its header is refused', async () => {
    const headers = { 'Content-Type': types.index, 'Docker-Content-Digest': digestOf('a') };
    const index = { schemaVersion: 2, mediaType: types.index, manifests: [] };
    registry.setFault(manifests, answerWith(index, headers));

    expect(await ask()).toMatchObject(refusal(/ with other content: its digest is sha256:/));
  });

  it('with another digest than the requested one is refused', async () => {
    const index = { schemaVersion: 2, mediaType: types.index, manifests: [] };
    registry.setFault(manifests, answerWith(index, { 'Content-Type': types.index }));

    expect(await ask(digestOf('a'))).toMatchObject(refusal(/ with other content: its digest is/));
  });

  it.each<[string, object | string, string, RegExp]>([
    [
      'two media types',
      { schemaVersion: 2, mediaType: types.image, config: {} },
      types.index,
      /a manifest of two media types$/,
    ],
    [
      'the media types of the OCI and of Docker',
      { schemaVersion: 2, mediaType: types.index, manifests: [] },
      types.list,
      /a manifest of two media types$/,
    ],
    [
      'an index and layers',
      { schemaVersion: 2, mediaType: types.index, manifests: [], layers: [] },
      types.index,
      /a manifest that is an index and an image$/,
    ],
    [
      'an image and other images',
      { schemaVersion: 2, config: {}, manifests: [] },
      types.image,
      /a manifest that is an index and an image$/,
    ],
    [
      'an image, and other images in a spelling that programs in Go read, too',
      { schemaVersion: 2, mediaType: types.image, config: {}, Manifests: [] },
      types.image,
      /a manifest with names in two spellings$/,
    ],
    [
      'layers in a spelling of other letters, which Go reads, too',
      { schemaVersion: 2, mediaType: types.index, manifests: [], 'layer\u017f': [] },
      types.index,
      /a manifest with names in two spellings$/,
    ],
    [
      'schema 1',
      { schemaVersion: 1, name: 'acme/shop', fsLayers: [] },
      'application/vnd.docker.distribution.manifest.v1+prettyjws',
      /old schema 1/,
    ],
    ['a web page', '<!doctype html><p>Sign in', 'text/html', /with a web page$/],
    ['a list', '[]', types.index, /not in its format$/],
    ['no JSON', '{"schemaVersion": 2', types.index, /not in its format$/],
    ['no media type that is known', { schemaVersion: 2, manifests: [] }, '', /not in its format$/],
    [
      'an object instead of a list of images',
      { schemaVersion: 2, mediaType: types.index, manifests: { 0: {} } },
      types.index,
      /not in its format$/,
    ],
  ])('of %s is refused', async (_, manifest, mediaType, reason) => {
    registry.setFault(
      manifests,
      answerWith(manifest, mediaType ? { 'Content-Type': mediaType } : {}),
    );

    expect(await ask()).toMatchObject(refusal(reason));
  });

  it('of deep JSON is read without any harm', async () => {
    const deep = `${'['.repeat(500_000)}${']'.repeat(500_000)}`;
    const text = `{"schemaVersion": 2, "mediaType": "${types.index}", "manifests": [], "annotations": ${deep}}`;

    expect(await askManifest(text, types.index)).toMatchObject({ outcome: 'answered' });
  });

  it('pollutes nothing', async () => {
    const text = `{"schemaVersion": 2, "mediaType": "${types.index}", "__proto__": {"layers": [], "polluted": 1},
      "manifests": [{"__proto__": {"digest": "${digestOf('a')}", "polluted": 1}}]}`;

    const { manifest } = await askManifest(text, types.index);

    expect(manifest).toMatchObject({ kind: 'docker', images: [], isPartial: true });
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });
});

describe('an entry of an index', () => {
  const askEntries = async (...entries: readonly unknown[]) => {
    const { manifest } = await askManifest(
      { schemaVersion: 2, mediaType: types.index, manifests: entries },
      types.index,
    );
    return manifest;
  };

  it.each<[string, unknown]>([
    ['an index', { mediaType: types.index, digest: digestOf('a') }],
    ['no digest', { mediaType: types.image }],
    ['a digest of another kind', { mediaType: types.image, digest: `sha512:${'a'.repeat(128)}` }],
    ['a digest with a path', { mediaType: types.image, digest: `sha256:../${'a'.repeat(61)}` }],
    ['a digest in capital letters', { mediaType: types.image, digest: digestOf('A') }],
    ['a digest with a line break', { mediaType: types.image, digest: `${digestOf('a')}\n/x` }],
    ['two spellings', { mediaType: types.image, digest: digestOf('a'), Digest: digestOf('b') }],
    ['no object', 7],
  ])('with %s is no image, and the index has more than its images', async (_, entry) => {
    const known = image();

    expect(await askEntries(known, entry)).toMatchObject({
      ...{ isPartial: true, images: [{ digest: known.digest }] },
    });
  });

  it.each<[unknown, string]>([
    [{ os: 'linux', architecture: 'arm64', variant: 'v8' }, 'linux/arm64/v8'],
    [{ os: 'Linux', architecture: 'x86_64', variant: 'v1' }, 'linux/amd64'],
    [{ os: 'linux', architecture: 'aarch64' }, 'linux/arm64'],
    [{ os: 'lin\u202eux', architecture: 'amd64' }, ''],
    [{ os: 'linux', architecture: 'arm\n64' }, ''],
    [{ os: 'linux/amd64' }, ''],
    [{ os: 'linux', architecture: 'amd64', Architecture: 'arm64' }, ''],
    [{ os: 'x'.repeat(33) }, ''],
    [{ os: 7, architecture: ['amd64'] }, ''],
    ['linux/amd64', ''],
    [undefined, ''],
  ])('has a clean platform: %j', async (platform, expected) => {
    expect(await askEntries({ ...image(), platform })).toMatchObject({
      images: [{ platform: expected }],
    });
  });

  it.each([-1, 1.5, 1e300, '7', null])('has no size of %j', async (size) => {
    expect(await askEntries({ ...image(), size })).toMatchObject({
      images: [{ size: expect.any(Number) }],
    });
  });

  it('of an index without a media type describes nothing', async () => {
    const inner = { schemaVersion: 2, mediaType: types.index, manifests: [image()] };
    const digest = registry.pushManifest('acme/shop', inner, { mediaType: types.index });

    expect(await askEntries({ digest })).toMatchObject({ images: [{ digest, size: null }] });
  });

  it('whose bytes are others describes nothing', async () => {
    const { digest } = image();
    registry.setFault(new RegExp(digest), answerWith({ schemaVersion: 2 }));

    expect(await askEntries({ mediaType: types.image, digest })).toMatchObject({
      images: [{ digest, size: null }],
    });
  });
});

it('adds up no sizes beyond the numbers that can be stored', async () => {
  const size = Number.MAX_SAFE_INTEGER;
  const digest = registry.pushManifest('acme/shop', {
    ...{ schemaVersion: 2, mediaType: types.image },
    config: { mediaType: types.config, digest: digestOf('a'), size: 1 },
    layers: [
      { digest: digestOf('b'), size },
      { digest: digestOf('c'), size },
    ],
  });
  const index = { schemaVersion: 2, mediaType: types.index, manifests: [{ digest }] };

  expect((await askManifest(index, types.index)).manifest).toMatchObject({
    images: [{ digest, size: null }],
  });
});
