import type { IncomingMessage } from 'node:http';
import { imageTypes, listReferrers, type OciStore, type Repository } from './oci-store.ts';

/** Answer of a registry to GET; HEAD leaves its body out. */
export interface OciAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | string;
}

/** How a registry answers to who may pull. */
export interface PullOptions {
  /** False for a registry that knows referrers only by tags such as `sha256-HEX`. */
  readonly hasReferrersApi: boolean;
  /** Number of tags or referrers in one answer. */
  readonly pageSize: number;
  /** Returns the address of a blob; undefined if the registry itself sends it. */
  readonly redirectBlobsTo: (path: string) => string | undefined;
}

/** Part of a registry that a path names. */
export interface OciTarget {
  readonly repository: string;
  readonly kind: 'manifests' | 'blobs' | 'referrers' | 'tags';
  /** Tag or digest; `list` for the tags. */
  readonly reference: string;
}

export const answerJson = (
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): OciAnswer => ({
  status,
  headers: { 'Content-Type': 'application/json', ...headers },
  body: JSON.stringify(body),
});

/** An error of the specification. */
export const refuse = (
  status: number,
  code: string,
  headers: Readonly<Record<string, string>> = {},
): OciAnswer => {
  const message = code.toLowerCase().replaceAll('_', ' ');
  return answerJson(status, { errors: [{ code, message, detail: null }] }, headers);
};

const nameParts = /^[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*$/;
const digestShape = /^sha256:[0-9a-f]{64}$/;

/** Returns what a path names; undefined if the API has no such path. */
export const findTarget = (path: string): OciTarget | undefined => {
  const [, repository = '', kind = '', reference = ''] =
    /^\/v2\/(.+)\/(manifests|blobs|referrers|tags)\/([^/]+)$/.exec(path) ?? [];
  if (!repository || (kind === 'tags' && reference !== 'list')) return undefined;
  return { repository, kind: kind as OciTarget['kind'], reference };
};

const findFlaw = ({ repository, kind, reference }: OciTarget): OciAnswer | undefined => {
  if (!repository.split('/').every((part) => nameParts.test(part))) {
    return refuse(400, 'NAME_INVALID');
  }
  // The conformance suite demands 404, not 400, for a manifest under an impossible tag.
  const isTag = !reference.includes(':') && (kind === 'tags' || kind === 'manifests');
  return isTag || digestShape.test(reference) ? undefined : refuse(400, 'DIGEST_INVALID');
};

/** True if `Accept` has the media type, or any. */
const accepts = ({ headers }: IncomingMessage, mediaType: string): boolean =>
  (headers.accept ?? '*/*')
    .split(',')
    .some((one) => ['*/*', mediaType].includes(one.split(';', 1)[0]?.trim() ?? ''));

const showBytes = (bytes: Buffer, mediaType: string, digest: string): OciAnswer => ({
  status: 200,
  headers: { 'Content-Type': mediaType, 'Docker-Content-Digest': digest },
  body: bytes,
});

const showManifest = (
  request: IncomingMessage,
  { tags, manifests }: Repository,
  reference: string,
): OciAnswer => {
  const digest = tags.get(reference) ?? reference;
  const stored = manifests.get(digest);
  return stored && accepts(request, stored.mediaType)
    ? showBytes(stored.bytes, stored.mediaType, digest)
    : refuse(404, 'MANIFEST_UNKNOWN');
};

/** One page of a list after the key that `last` names, with the `Link` of the next one. */
const cutPage = <T>(all: readonly T[], keyOf: (one: T) => string, url: URL, size: number) => {
  const last = url.searchParams.get('last');
  const rest = last === null ? all : all.filter((one) => keyOf(one) > last);
  const page = rest.slice(0, size);
  const end = page.at(-1);
  if (rest.length === page.length || end === undefined) return { page, headers: {} };
  const query = new URLSearchParams(url.searchParams);
  query.set('last', keyOf(end));
  return { page, headers: { Link: `<${url.pathname}?${query}>; rel="next"` } };
};

const listTags = (name: string, { tags }: Repository, url: URL, pageSize: number): OciAnswer => {
  const wanted = url.searchParams.get('n') ?? String(pageSize);
  if (!/^\d+$/.test(wanted)) return refuse(400, 'UNSUPPORTED');
  const size = Math.min(Number(wanted), pageSize);
  // The order is that of bytes, which the specification allows.
  const { page, headers } = cutPage([...tags.keys()].toSorted(), (tag) => tag, url, size);
  return answerJson(200, { name, tags: page }, headers);
};

const showReferrers = (
  repository: Repository | undefined,
  subject: string,
  url: URL,
  pageSize: number,
): OciAnswer => {
  const wanted = url.searchParams.get('artifactType');
  const all = (repository ? listReferrers(repository, subject) : []).filter(
    ({ artifactType }) => wanted === null || artifactType === wanted,
  );
  const { page, headers } = cutPage(all, ({ digest }) => digest, url, pageSize);
  return answerJson(
    200,
    { schemaVersion: 2, mediaType: imageTypes.oci.index, manifests: page },
    {
      'Content-Type': imageTypes.oci.index,
      ...(wanted !== null && { 'OCI-Filters-Applied': 'artifactType' }),
      ...headers,
    },
  );
};

/** Answers a request for content from somebody who may pull. */
export const answerPull = (
  request: IncomingMessage,
  url: URL,
  target: OciTarget,
  store: OciStore,
  { hasReferrersApi, pageSize, redirectBlobsTo }: PullOptions,
): OciAnswer => {
  const { repository: name, kind, reference } = target;
  if (kind === 'referrers' && !hasReferrersApi) {
    return { status: 404, headers: { 'Content-Type': 'text/plain' }, body: '404 page not found' };
  }
  const flaw = findFlaw(target);
  if (flaw) return flaw;
  const repository = store.find(name);
  // A registry with this API must not answer 404 to it, even for an unknown name.
  if (kind === 'referrers') return showReferrers(repository, reference, url, pageSize);
  if (!repository) return refuse(404, 'NAME_UNKNOWN');
  if (kind === 'tags') return listTags(name, repository, url, pageSize);
  if (kind === 'manifests') return showManifest(request, repository, reference);
  const bytes = repository.blobs.get(reference);
  if (!bytes) return refuse(404, 'BLOB_UNKNOWN');
  const elsewhere = redirectBlobsTo(`${url.pathname}${url.search}`);
  return elsewhere === undefined
    ? showBytes(bytes, 'application/octet-stream', reference)
    : { status: 307, headers: { Location: elsewhere }, body: '' };
};
