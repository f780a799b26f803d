import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import { type OciRegistry, startOciRegistry } from './oci-registry.ts';
import { imageTypes } from './oci-store.ts';

/** Answer with its whole body. */
export interface Shown {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
}

/** One case of a list of requirements. */
export type Case = readonly [title: string, check: () => Promise<void>];

export const repository = 'conformance/shop';
export const tags = ['Beta', 'alpha', 'test0', 'test1', 'test2'];
export const artifactTypes = {
  sbom: 'application/vnd.example.sbom.v1',
  scan: 'application/vnd.example.scan.v1',
};
/** Digest that nothing has. */
export const unknownDigest = `sha256:${'d'.repeat(64)}`;
/** Digest of a subject that is not there, although an artifact refers to it. */
export const missingSubject = `sha256:${'e'.repeat(64)}`;

const allTypes = Object.values(imageTypes).flatMap(({ index, manifest }) => [index, manifest]);

/** Stores what the conformance suite wants to pull, and returns the digests. */
const pushContent = (registry: OciRegistry) => {
  const name = repository;
  const blob = registry.pushBlob(name, 'content of a blob');
  const oci = registry.pushImage(name, { tag: 'test0' });
  const docker = registry.pushImage(name, { tag: 'test1', flavour: 'docker' });
  const images = [
    { digest: oci, platform: 'linux/amd64' },
    { digest: docker, platform: 'linux/arm64/v8' },
  ];
  const index = registry.pushIndex(name, images, { tag: 'test2' });
  for (const tag of ['alpha', 'Beta']) registry.moveTag(name, tag, oci);
  const subject = registry.pushImage(name, { platform: 'linux/s390x' });
  const sboms = ['one', 'two'].map((bytes) => {
    const annotations = { 'org.example.document': bytes };
    const artifact = { artifactType: artifactTypes.sbom, bytes, annotations };
    return registry.addReferrer(name, subject, artifact);
  });
  const descriptor = { mediaType: imageTypes.oci.manifest, digest: subject, size: 1 };
  const withoutType = registry.pushManifest(name, {
    ...{ schemaVersion: 2, mediaType: imageTypes.oci.manifest, layers: [], subject: descriptor },
    config: { mediaType: artifactTypes.scan, digest: blob, size: 17 },
  });
  const indexReferrer = registry.pushManifest(name, {
    ...{ schemaVersion: 2, mediaType: imageTypes.oci.index, manifests: [], subject: descriptor },
  });
  const early = { artifactType: artifactTypes.sbom, bytes: 'early' };
  const stray = registry.addReferrer(name, missingSubject, early);
  return { blob, oci, docker, index, subject, sboms, withoutType, indexReferrer, stray };
};

/** Starts a registry with this content, where two tags or referrers fit in one answer. */
export const startConformanceRegistry = async () => {
  const registry = await startOciRegistry({ pageSize: 2 });
  const digests = pushContent(registry);
  const send = async (path: string, init: RequestInit = {}): Promise<Shown> => {
    const response = await fetch(new URL(path, registry.url), init);
    const { status, headers } = response;
    return { status, headers, bytes: Buffer.from(await response.arrayBuffer()) };
  };
  /** Returns all pages of a list, each from where the one before says that it is. */
  const followPages = async (path: string): Promise<Shown[]> => {
    const page = await send(path);
    const next = /^<([^>]+)>; rel="next"$/.exec(page.headers.get('link') ?? '')?.[1];
    return next === undefined ? [page] : [page, ...(await followPages(next))];
  };
  const ask = (path: string, init: RequestInit = {}) => send(`/v2/${repository}/${path}`, init);
  return {
    ...{ digests, send, ask, followPages, close: registry.close },
    head: (path: string) => ask(path, { method: 'HEAD' }),
    getManifest: (reference: string, accept = allTypes.join(', ')) =>
      ask(`manifests/${reference}`, { headers: { Accept: accept } }),
    listTags: async (query: string): Promise<string[]> =>
      parse(await ask(`tags/list${query}`)).tags,
    listReferrers: async (subject: string, query = '') => {
      const pages = await followPages(`/v2/${repository}/referrers/${subject}${query}`);
      for (const { status, headers } of pages) {
        expect(status).toBe(200);
        expect(headers.get('content-type')).toBe(imageTypes.oci.index);
      }
      return { pages, manifests: pages.flatMap((page) => parse(page).manifests) };
    },
  };
};

export const parse = ({ bytes }: Shown) => JSON.parse(bytes.toString());

const digestOf = (bytes: Buffer): string =>
  `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

export const expectError = (shown: Shown, status: number, code: string): void => {
  expect(shown.status).toBe(status);
  expect(shown.headers.get('content-type')).toBe('application/json');
  expect(parse(shown).errors).toEqual([expect.objectContaining({ code })]);
};

export const expectContent = (shown: Shown, digest: string, mediaType: string): void => {
  expect(shown.status).toBe(200);
  expect(shown.headers.get('content-type')).toBe(mediaType);
  expect(shown.headers.get('docker-content-digest')).toBe(digest);
  expect(shown.headers.get('content-length')).toBe(String(shown.bytes.length));
  expect(digestOf(shown.bytes)).toBe(digest);
};

export const expectHeaders = (shown: Shown, digest: string): void => {
  expect(shown.status).toBe(200);
  expect(shown.headers.get('docker-content-digest')).toBe(digest);
  expect(Number(shown.headers.get('content-length'))).toBeGreaterThan(0);
  expect(shown.bytes).toHaveLength(0);
};
