import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  artifactTypes,
  type Case,
  expectError,
  missingSubject,
  parse,
  repository,
  startConformanceRegistry,
  tags,
  unknownDigest,
} from './oci-conformance.ts';
import { imageTypes } from './oci-store.ts';

/** One registry for all cases, which only pull. */
let registry: Awaited<ReturnType<typeof startConformanceRegistry>>;

beforeAll(async () => {
  registry = await startConformanceRegistry();
});

afterAll(() => registry.close());

/** Sentences of the specification 1.1.1 that its conformance suite leaves out. */
const specificationCases: readonly Case[] = [
  [
    'a registry answers /v2/ with 200',
    async () => expect((await registry.send('/v2/')).status).toBe(200),
  ],
  [
    'a manifest of a type that Accept lacks is not there',
    async () =>
      expectError(
        await registry.getManifest('test1', imageTypes.oci.index),
        404,
        'MANIFEST_UNKNOWN',
      ),
  ],
  [
    'Accept may weigh media types, and name any',
    async () => {
      const weighed = `text/html, ${imageTypes.oci.manifest};q=0.5`;
      expect((await registry.getManifest('test0', weighed)).status).toBe(200);
      expect((await registry.getManifest('test0', 'text/html, */*')).status).toBe(200);
    },
  ],
  [
    'manifests are apart from blobs',
    async () => {
      expectError(await registry.ask(`blobs/${registry.digests.oci}`), 404, 'BLOB_UNKNOWN');
      expectError(await registry.getManifest(registry.digests.blob), 404, 'MANIFEST_UNKNOWN');
    },
  ],
  [
    'a digest may have a percent-encoded colon',
    async () =>
      expect(
        (await registry.ask(`blobs/${encodeURIComponent(registry.digests.blob)}`)).status,
      ).toBe(200),
  ],
  [
    'an unknown repository is NAME_UNKNOWN',
    async () => {
      expectError(await registry.send('/v2/no/such/tags/list'), 404, 'NAME_UNKNOWN');
      expectError(await registry.send('/v2/no/such/manifests/test0'), 404, 'NAME_UNKNOWN');
      expectError(
        await registry.send(`/v2/no/such/blobs/${registry.digests.blob}`),
        404,
        'NAME_UNKNOWN',
      );
    },
  ],
  [
    'a repository name in another form is NAME_INVALID',
    async () => expectError(await registry.send('/v2/Some/Shop/tags/list'), 400, 'NAME_INVALID'),
  ],
  [
    'a broken percent-encoding is refused',
    async () => expect((await registry.send('/v2/%/tags/list')).status).toBe(400),
  ],
  [
    'a list of zero tags has no next page',
    async () => {
      const shown = await registry.ask('tags/list?n=0');
      expect(parse(shown).tags).toEqual([]);
      expect(shown.headers.has('link')).toBe(false);
    },
  ],
  [
    'a number of tags is a number',
    async () => expectError(await registry.ask('tags/list?n=-1'), 400, 'UNSUPPORTED'),
  ],
  [
    'the tags after the last one are none',
    async () => expect(await registry.listTags('?last=test2')).toEqual([]),
  ],
  [
    'the next page of tags keeps the size of this one',
    async () => {
      const pages = await registry.followPages(`/v2/${repository}/tags/list?n=1`);
      expect(pages.flatMap((page) => parse(page).tags)).toEqual(tags);
      expect(pages).toHaveLength(tags.length);
    },
  ],
  [
    'a page of referrers that is not the last one has a Link',
    async () => {
      const { pages } = await registry.listReferrers(registry.digests.subject);
      expect(pages.map((page) => parse(page).manifests.length)).toEqual([2, 2]);
    },
  ],
  [
    'the next page of filtered referrers is filtered',
    async () => {
      const query = `?artifactType=${artifactTypes.scan}`;
      const { manifests } = await registry.listReferrers(registry.digests.subject, query);
      expect(manifests.map(({ digest }) => digest)).toEqual([registry.digests.withoutType]);
    },
  ],
  [
    'a referrer is described with type, size and annotations',
    async () => {
      const { manifests } = await registry.listReferrers(missingSubject);
      const { bytes } = await registry.getManifest(registry.digests.stray);
      expect(manifests).toEqual([
        {
          mediaType: imageTypes.oci.manifest,
          digest: registry.digests.stray,
          size: bytes.length,
          artifactType: artifactTypes.sbom,
        },
      ]);
      const all = (await registry.listReferrers(registry.digests.subject)).manifests;
      const described = all.find(({ digest }) => digest === registry.digests.sboms[1]);
      expect(described.annotations).toEqual({ 'org.example.document': 'two' });
    },
  ],
  [
    'a manifest without an artifact type has that of its config, and an index has none',
    async () => {
      const { manifests } = await registry.listReferrers(registry.digests.subject);
      const find = (wanted: string) => manifests.find(({ digest }) => digest === wanted);
      expect(find(registry.digests.withoutType).artifactType).toBe(artifactTypes.scan);
      expect(find(registry.digests.indexReferrer)).not.toHaveProperty('artifactType');
    },
  ],
  [
    'referrers of an unknown repository are none, never 404',
    async () => {
      const shown = await registry.send(`/v2/no/such/referrers/${unknownDigest}`);
      expect([shown.status, parse(shown).manifests]).toEqual([200, []]);
    },
  ],
  [
    'referrers of what is no digest are refused',
    async () => {
      expectError(await registry.ask('referrers/test0'), 400, 'DIGEST_INVALID');
      expectError(await registry.ask('referrers/sha256:totallywrong'), 400, 'DIGEST_INVALID');
    },
  ],
  [
    'a method that changes content is unsupported',
    async () =>
      expectError(await registry.ask('manifests/test0', { method: 'DELETE' }), 405, 'UNSUPPORTED'),
  ],
];

describe('a registry holds the sentences of the specification:', () => {
  it.each(specificationCases)('%s', (_title, check) => check());
});
