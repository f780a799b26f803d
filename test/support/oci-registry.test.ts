import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startOciRegistry } from './oci-registry.ts';
import { imageTypes } from './oci-store.ts';

/** One registry for all cases, which only pull. Two tags or referrers fit in one answer. */
let registry: Awaited<ReturnType<typeof startOciRegistry>>;

const name = 'conformance/shop';
const unknown = `sha256:${'d'.repeat(64)}`;
const missingSubject = `sha256:${'e'.repeat(64)}`;
const tags = ['Beta', 'alpha', 'test0', 'test1', 'test2'];
const types = { sbom: 'application/vnd.example.sbom.v1', scan: 'application/vnd.example.scan.v1' };
const allTypes = Object.values(imageTypes).flatMap(({ index, manifest }) => [index, manifest]);

/** Digests of what the registry has. */
const stored = { blob: '', oci: '', docker: '', index: '', subject: '', stray: '' };
const sbomReferrers: string[] = [];
let scanReferrer = '';
let ownIndex = '';

beforeAll(async () => {
  registry = await startOciRegistry({ pageSize: 2 });
  stored.blob = registry.pushBlob(name, 'content of a blob');
  stored.oci = registry.pushImage(name, { tag: 'test0' });
  stored.docker = registry.pushImage(name, { tag: 'test1', flavour: 'docker' });
  stored.index = registry.pushIndex(
    name,
    [
      { digest: stored.oci, platform: 'linux/amd64' },
      { digest: stored.docker, platform: 'linux/arm64/v8' },
    ],
    { tag: 'test2' },
  );
  for (const tag of ['alpha', 'Beta']) registry.moveTag(name, tag, stored.oci);
  stored.subject = registry.pushImage(name, { platform: 'linux/s390x' });
  for (const bytes of ['one', 'two']) {
    const annotations = { 'org.example.document': bytes };
    const artifact = { artifactType: types.sbom, bytes, annotations };
    sbomReferrers.push(registry.addReferrer(name, stored.subject, artifact));
  }
  const subject = { mediaType: imageTypes.oci.manifest, digest: stored.subject, size: 1 };
  scanReferrer = registry.pushManifest(name, {
    ...{ schemaVersion: 2, mediaType: imageTypes.oci.manifest, layers: [], subject },
    config: { mediaType: types.scan, digest: stored.blob, size: 17 },
  });
  ownIndex = registry.pushManifest(name, {
    ...{ schemaVersion: 2, mediaType: imageTypes.oci.index, manifests: [], subject },
  });
  const artifact = { artifactType: types.sbom, bytes: 'early' };
  stored.stray = registry.addReferrer(name, missingSubject, artifact);
});

afterAll(() => registry.close());

interface Shown {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
}

const send = async (path: string, init: RequestInit = {}): Promise<Shown> => {
  const response = await fetch(new URL(path, registry.url), init);
  const { status, headers } = response;
  return { status, headers, bytes: Buffer.from(await response.arrayBuffer()) };
};
const ask = (path: string, init: RequestInit = {}) => send(`/v2/${name}/${path}`, init);
const head = (path: string) => ask(path, { method: 'HEAD' });
const getManifest = (reference: string, accept = allTypes.join(', ')) =>
  ask(`manifests/${reference}`, { headers: { Accept: accept } });

const digestOf = (bytes: Buffer): string =>
  `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

const parse = ({ bytes }: Shown) => JSON.parse(bytes.toString());

const expectError = (shown: Shown, status: number, code: string) => {
  expect(shown.status).toBe(status);
  expect(shown.headers.get('content-type')).toBe('application/json');
  expect(parse(shown).errors).toEqual([expect.objectContaining({ code })]);
};

const expectContent = (shown: Shown, digest: string, mediaType: string) => {
  expect(shown.status).toBe(200);
  expect(shown.headers.get('content-type')).toBe(mediaType);
  expect(shown.headers.get('docker-content-digest')).toBe(digest);
  expect(shown.headers.get('content-length')).toBe(String(shown.bytes.length));
  expect(digestOf(shown.bytes)).toBe(digest);
};

const expectHeaders = (shown: Shown, digest: string) => {
  expect(shown.status).toBe(200);
  expect(shown.headers.get('docker-content-digest')).toBe(digest);
  expect(Number(shown.headers.get('content-length'))).toBeGreaterThan(0);
  expect(shown.bytes).toHaveLength(0);
};

const listTags = async (query = ''): Promise<string[]> =>
  parse(await ask(`tags/list${query}`)).tags;

const nextOf = ({ headers }: Shown) =>
  /^<([^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1];

/** Returns all pages of a list, each from where the one before says that it is. */
const followPages = async (path: string): Promise<Shown[]> => {
  const page = await send(path);
  const next = nextOf(page);
  return next === undefined ? [page] : [page, ...(await followPages(next))];
};

const listReferrers = async (subject: string, query = '') => {
  const pages = await followPages(`/v2/${name}/referrers/${subject}${query}`);
  for (const { status, headers } of pages) {
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe(imageTypes.oci.index);
  }
  return { pages, manifests: pages.flatMap((page) => parse(page).manifests) };
};

type Case = readonly [title: string, check: () => Promise<void>];

/** Titles of the conformance suite 1.1.1, category Pull. */
const pullCases: readonly Case[] = [
  [
    'HEAD request to nonexistent blob should result in 404 response',
    async () => expect((await head(`blobs/${unknown}`)).status).toBe(404),
  ],
  [
    'HEAD request to existing blob should yield 200',
    async () => expectHeaders(await head(`blobs/${stored.blob}`), stored.blob),
  ],
  [
    'GET nonexistent blob should result in 404 response',
    async () => expectError(await ask(`blobs/${unknown}`), 404, 'BLOB_UNKNOWN'),
  ],
  [
    'GET request to existing blob URL should yield 200',
    async () =>
      expectContent(await ask(`blobs/${stored.blob}`), stored.blob, 'application/octet-stream'),
  ],
  [
    'HEAD request to nonexistent manifest should return 404',
    async () => expect((await head('manifests/.INVALID_MANIFEST_NAME')).status).toBe(404),
  ],
  [
    'HEAD request to manifest[0] path (digest) should yield 200 response',
    async () => expectHeaders(await head(`manifests/${stored.oci}`), stored.oci),
  ],
  [
    'HEAD request to manifest[1] path (digest) should yield 200 response',
    async () => expectHeaders(await head(`manifests/${stored.docker}`), stored.docker),
  ],
  [
    'HEAD request to manifest path (tag) should yield 200 response',
    async () => expectHeaders(await head('manifests/test0'), stored.oci),
  ],
  [
    'GET nonexistent manifest should return 404',
    async () => expectError(await getManifest('.INVALID_MANIFEST_NAME'), 404, 'MANIFEST_UNKNOWN'),
  ],
  [
    'GET request to manifest[0] path (digest) should yield 200 response',
    async () => expectContent(await getManifest(stored.oci), stored.oci, imageTypes.oci.manifest),
  ],
  [
    'GET request to manifest[1] path (digest) should yield 200 response',
    async () =>
      expectContent(await getManifest(stored.docker), stored.docker, imageTypes.docker.manifest),
  ],
  [
    'GET request to manifest path (tag) should yield 200 response',
    async () => expectContent(await getManifest('test2'), stored.index, imageTypes.oci.index),
  ],
  [
    '400 response body should contain OCI-conforming JSON message',
    async () => expectError(await getManifest('sha256:totallywrong'), 400, 'DIGEST_INVALID'),
  ],
];

/** Titles of the conformance suite 1.1.1, category Content Discovery. */
const discoveryCases: readonly Case[] = [
  [
    'GET request to list tags should yield 200 response',
    async () => {
      const pages = await followPages(`/v2/${name}/tags/list`);

      expect(pages.map(parse)).toEqual([
        { name, tags: ['Beta', 'alpha'] },
        { name, tags: ['test0', 'test1'] },
        { name, tags: ['test2'] },
      ]);
      expect(pages.map(({ status }) => status)).toEqual([200, 200, 200]);
    },
  ],
  [
    'GET number of tags should be limitable by `n` query parameter',
    async () => expect(await listTags('?n=1')).toEqual(['Beta']),
  ],
  [
    'GET start of tag is set by `last` query parameter',
    async () => expect(await listTags('?n=2&last=alpha')).toEqual(['test0', 'test1']),
  ],
  [
    'GET request to nonexistent blob should result in empty 200 response',
    async () => expect((await listReferrers(unknown)).manifests).toEqual([]),
  ],
  [
    'GET request to existing blob should yield 200',
    async () => {
      const { manifests } = await listReferrers(stored.subject);

      const digests = manifests.map(({ digest }) => digest);
      expect(digests).toEqual([...sbomReferrers, scanReferrer, ownIndex].toSorted());
    },
  ],
  [
    'GET request to existing blob with filter should yield 200',
    async () => {
      const query = `?artifactType=${encodeURIComponent(types.sbom)}`;
      const { pages, manifests } = await listReferrers(stored.subject, query);

      expect(pages[0]?.headers.get('oci-filters-applied')).toBe('artifactType');
      expect(manifests.map(({ digest }) => digest)).toEqual(sbomReferrers.toSorted());
    },
  ],
  [
    'GET request to missing manifest should yield 200',
    async () => {
      const { manifests } = await listReferrers(missingSubject);

      expect(manifests.map(({ digest }) => digest)).toEqual([stored.stray]);
    },
  ],
];

/** Sentences of the specification 1.1.1 that its conformance suite leaves out. */
const specificationCases: readonly Case[] = [
  ['a registry answers /v2/ with 200', async () => expect((await send('/v2/')).status).toBe(200)],
  [
    'a manifest of a type that Accept lacks is not there',
    async () =>
      expectError(await getManifest('test1', imageTypes.oci.index), 404, 'MANIFEST_UNKNOWN'),
  ],
  [
    'Accept may weigh media types, and name any',
    async () => {
      const weighed = `text/html, ${imageTypes.oci.manifest};q=0.5`;
      expect((await getManifest('test0', weighed)).status).toBe(200);
      expect((await getManifest('test0', 'text/html, */*')).status).toBe(200);
    },
  ],
  [
    'manifests are apart from blobs',
    async () => {
      expectError(await ask(`blobs/${stored.oci}`), 404, 'BLOB_UNKNOWN');
      expectError(await getManifest(stored.blob), 404, 'MANIFEST_UNKNOWN');
    },
  ],
  [
    'a digest may have a percent-encoded colon',
    async () => expect((await ask(`blobs/${encodeURIComponent(stored.blob)}`)).status).toBe(200),
  ],
  [
    'an unknown repository is NAME_UNKNOWN',
    async () => {
      expectError(await send('/v2/no/such/tags/list'), 404, 'NAME_UNKNOWN');
      expectError(await send('/v2/no/such/manifests/test0'), 404, 'NAME_UNKNOWN');
      expectError(await send(`/v2/no/such/blobs/${stored.blob}`), 404, 'NAME_UNKNOWN');
    },
  ],
  [
    'a repository name in another form is NAME_INVALID',
    async () => expectError(await send('/v2/Some/Shop/tags/list'), 400, 'NAME_INVALID'),
  ],
  [
    'a broken percent-encoding is refused',
    async () => expect((await send('/v2/%/tags/list')).status).toBe(400),
  ],
  [
    'a list of zero tags has no next page',
    async () => {
      const shown = await ask('tags/list?n=0');
      expect(parse(shown).tags).toEqual([]);
      expect(shown.headers.has('link')).toBe(false);
    },
  ],
  [
    'a number of tags is a number',
    async () => expectError(await ask('tags/list?n=-1'), 400, 'UNSUPPORTED'),
  ],
  [
    'the tags after the last one are none',
    async () => expect(await listTags('?last=test2')).toEqual([]),
  ],
  [
    'the next page of tags keeps the size of this one',
    async () => {
      const pages = await followPages(`/v2/${name}/tags/list?n=1`);
      expect(pages.flatMap((page) => parse(page).tags)).toEqual(tags);
      expect(pages).toHaveLength(tags.length);
    },
  ],
  [
    'a page of referrers that is not the last one has a Link',
    async () => {
      const { pages } = await listReferrers(stored.subject);
      expect(pages.map((page) => parse(page).manifests.length)).toEqual([2, 2]);
    },
  ],
  [
    'the next page of filtered referrers is filtered',
    async () => {
      const query = `?artifactType=${types.scan}`;
      const { manifests } = await listReferrers(stored.subject, query);
      expect(manifests.map(({ digest }) => digest)).toEqual([scanReferrer]);
    },
  ],
  [
    'a referrer is described with type, size and annotations',
    async () => {
      const { manifests } = await listReferrers(missingSubject);
      const { bytes } = await getManifest(stored.stray);
      expect(manifests).toEqual([
        {
          mediaType: imageTypes.oci.manifest,
          digest: stored.stray,
          size: bytes.length,
          artifactType: types.sbom,
        },
      ]);
      const all = (await listReferrers(stored.subject)).manifests;
      const described = all.find(({ digest }) => digest === sbomReferrers[1]);
      expect(described.annotations).toEqual({ 'org.example.document': 'two' });
    },
  ],
  [
    'a manifest without an artifact type has that of its config, and an index has none',
    async () => {
      const { manifests } = await listReferrers(stored.subject);
      const find = (wanted: string) => manifests.find(({ digest }) => digest === wanted);
      expect(find(scanReferrer).artifactType).toBe(types.scan);
      expect(find(ownIndex)).not.toHaveProperty('artifactType');
    },
  ],
  [
    'referrers of an unknown repository are none, never 404',
    async () => {
      const shown = await send(`/v2/no/such/referrers/${unknown}`);
      expect([shown.status, parse(shown).manifests]).toEqual([200, []]);
    },
  ],
  [
    'referrers of what is no digest are refused',
    async () => {
      expectError(await ask('referrers/test0'), 400, 'DIGEST_INVALID');
      expectError(await ask('referrers/sha256:totallywrong'), 400, 'DIGEST_INVALID');
    },
  ],
  [
    'a method that changes content is unsupported',
    async () => expectError(await ask('manifests/test0', { method: 'DELETE' }), 405, 'UNSUPPORTED'),
  ],
];

describe('a registry conforms to the specification: pull', () => {
  it.each(pullCases)('%s', (_title, check) => check());
});

describe('a registry conforms to the specification: content discovery', () => {
  it.each(discoveryCases)('%s', (_title, check) => check());
});

describe('a registry holds the sentences of the specification:', () => {
  it.each(specificationCases)('%s', (_title, check) => check());
});
