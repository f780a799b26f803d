import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  artifactTypes,
  type Case,
  expectContent,
  expectError,
  expectHeaders,
  missingSubject,
  parse,
  repository,
  startConformanceRegistry,
  unknownDigest,
} from './oci-conformance.ts';
import { imageTypes } from './oci-store.ts';

/** One registry for all cases, which only pull. */
let registry: Awaited<ReturnType<typeof startConformanceRegistry>>;

beforeAll(async () => {
  registry = await startConformanceRegistry();
});

afterAll(() => registry.close());

/** Titles of the conformance suite 1.1.1, category Pull. */
const pullCases: readonly Case[] = [
  [
    'HEAD request to nonexistent blob should result in 404 response',
    async () => expect((await registry.head(`blobs/${unknownDigest}`)).status).toBe(404),
  ],
  [
    'HEAD request to existing blob should yield 200',
    async () =>
      expectHeaders(await registry.head(`blobs/${registry.digests.blob}`), registry.digests.blob),
  ],
  [
    'GET nonexistent blob should result in 404 response',
    async () => expectError(await registry.ask(`blobs/${unknownDigest}`), 404, 'BLOB_UNKNOWN'),
  ],
  [
    'GET request to existing blob URL should yield 200',
    async () =>
      expectContent(
        await registry.ask(`blobs/${registry.digests.blob}`),
        registry.digests.blob,
        'application/octet-stream',
      ),
  ],
  [
    'HEAD request to nonexistent manifest should return 404',
    async () => expect((await registry.head('manifests/.INVALID_MANIFEST_NAME')).status).toBe(404),
  ],
  [
    'HEAD request to manifest[0] path (digest) should yield 200 response',
    async () =>
      expectHeaders(await registry.head(`manifests/${registry.digests.oci}`), registry.digests.oci),
  ],
  [
    'HEAD request to manifest[1] path (digest) should yield 200 response',
    async () =>
      expectHeaders(
        await registry.head(`manifests/${registry.digests.docker}`),
        registry.digests.docker,
      ),
  ],
  [
    'HEAD request to manifest path (tag) should yield 200 response',
    async () => expectHeaders(await registry.head('manifests/test0'), registry.digests.oci),
  ],
  [
    'GET nonexistent manifest should return 404',
    async () =>
      expectError(await registry.getManifest('.INVALID_MANIFEST_NAME'), 404, 'MANIFEST_UNKNOWN'),
  ],
  [
    'GET request to manifest[0] path (digest) should yield 200 response',
    async () =>
      expectContent(
        await registry.getManifest(registry.digests.oci),
        registry.digests.oci,
        imageTypes.oci.manifest,
      ),
  ],
  [
    'GET request to manifest[1] path (digest) should yield 200 response',
    async () =>
      expectContent(
        await registry.getManifest(registry.digests.docker),
        registry.digests.docker,
        imageTypes.docker.manifest,
      ),
  ],
  [
    'GET request to manifest path (tag) should yield 200 response',
    async () =>
      expectContent(
        await registry.getManifest('test2'),
        registry.digests.index,
        imageTypes.oci.index,
      ),
  ],
  [
    '400 response body should contain OCI-conforming JSON message',
    async () =>
      expectError(await registry.getManifest('sha256:totallywrong'), 400, 'DIGEST_INVALID'),
  ],
];

/** Titles of the conformance suite 1.1.1, category Content Discovery. */
const discoveryCases: readonly Case[] = [
  [
    'GET request to list tags should yield 200 response',
    async () => {
      const pages = await registry.followPages(`/v2/${repository}/tags/list`);

      expect(pages.map(parse)).toEqual([
        { name: repository, tags: ['Beta', 'alpha'] },
        { name: repository, tags: ['test0', 'test1'] },
        { name: repository, tags: ['test2'] },
      ]);
      expect(pages.map(({ status }) => status)).toEqual([200, 200, 200]);
    },
  ],
  [
    'GET number of tags should be limitable by `n` query parameter',
    async () => expect(await registry.listTags('?n=1')).toEqual(['Beta']),
  ],
  [
    'GET start of tag is set by `last` query parameter',
    async () => expect(await registry.listTags('?n=2&last=alpha')).toEqual(['test0', 'test1']),
  ],
  [
    'GET request to nonexistent blob should result in empty 200 response',
    async () => expect((await registry.listReferrers(unknownDigest)).manifests).toEqual([]),
  ],
  [
    'GET request to existing blob should yield 200',
    async () => {
      const { subject, sboms, withoutType, indexReferrer } = registry.digests;
      const { manifests } = await registry.listReferrers(subject);

      const digests = manifests.map(({ digest }) => digest);
      expect(digests).toEqual([...sboms, withoutType, indexReferrer].toSorted());
    },
  ],
  [
    'GET request to existing blob with filter should yield 200',
    async () => {
      const query = `?artifactType=${encodeURIComponent(artifactTypes.sbom)}`;
      const { pages, manifests } = await registry.listReferrers(registry.digests.subject, query);

      expect(pages[0]?.headers.get('oci-filters-applied')).toBe('artifactType');
      expect(manifests.map(({ digest }) => digest)).toEqual(registry.digests.sboms.toSorted());
    },
  ],
  [
    'GET request to missing manifest should yield 200',
    async () => {
      const { manifests } = await registry.listReferrers(missingSubject);

      expect(manifests.map(({ digest }) => digest)).toEqual([registry.digests.stray]);
    },
  ],
];

describe('a registry conforms to the specification: pull', () => {
  it.each(pullCases)('%s', (_title, check) => check());
});

describe('a registry conforms to the specification: content discovery', () => {
  it.each(discoveryCases)('%s', (_title, check) => check());
});
