import { createHash, randomBytes } from 'node:crypto';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

/** Media types of the OCI, and of Docker. */
const types = {
  oci: {
    index: 'application/vnd.oci.image.index.v1+json',
    manifest: 'application/vnd.oci.image.manifest.v1+json',
    config: 'application/vnd.oci.image.config.v1+json',
    layer: 'application/vnd.oci.image.layer.v1.tar+gzip',
  },
  docker: {
    index: 'application/vnd.docker.distribution.manifest.list.v2+json',
    manifest: 'application/vnd.docker.distribution.manifest.v2+json',
    config: 'application/vnd.docker.container.image.v1+json',
    layer: 'application/vnd.docker.image.rootfs.diff.tar.gzip',
  },
} as const;

type Flavour = keyof typeof types;

/** Answer in place of the true one. */
export type Fault = (request: IncomingMessage, response: ServerResponse) => void;

export interface OciRegistryOptions {
  readonly auth?: 'none' | 'bearer' | 'basic';
  readonly users?: Readonly<Record<string, string>>;
  /** Repositories that only users may read. */
  readonly private?: readonly string[];
  readonly tokenLifetimeSeconds?: number;
  /** False for a registry that knows referrers only by tags such as `sha256-HEX`. */
  readonly hasReferrersApi?: boolean;
  /** Number of tags or referrers in one answer. */
  readonly pageSize?: number;
  /** Returns where a blob is; undefined for here. */
  readonly redirectBlobsTo?: (path: string) => string | undefined;
}

interface Stored {
  readonly bytes: Buffer;
  readonly mediaType: string;
}

interface Repository {
  readonly blobs: Map<string, Buffer>;
  readonly manifests: Map<string, Stored>;
  readonly tags: Map<string, string>;
}

/** A registry of images on the loopback interface, as the OCI Distribution Specification 1.1 has it. */
export interface OciRegistry {
  readonly host: string;
  readonly url: string;
  readonly requests: readonly {
    readonly method: string;
    readonly path: string;
    readonly headers: IncomingHttpHeaders;
  }[];
  pushBlob(repository: string, bytes: Buffer | string): string;
  pushManifest(
    repository: string,
    manifest: object | string,
    options?: { readonly mediaType?: string; readonly tag?: string },
  ): string;
  pushImage(repository: string, image?: PushedImage): string;
  pushIndex(
    repository: string,
    entries: readonly IndexEntry[],
    options?: { readonly flavour?: Flavour; readonly tag?: string },
  ): string;
  moveTag(repository: string, tag: string, digest: string): void;
  /** Deletes a tag, or a manifest by its digest. */
  deleteManifest(repository: string, reference: string): void;
  /** Stores an artifact of one layer that refers to a subject, and returns the digest of its manifest. */
  addReferrer(repository: string, subject: string, artifact: PushedArtifact): string;
  /** Has requests to a path answered by a fault from now on; undefined ends it. */
  setFault(path: RegExp, fault: Fault | undefined): void;
  close(): Promise<void>;
}

interface PushedImage {
  readonly platform?: string;
  readonly config?: object;
  readonly created?: string;
  readonly flavour?: Flavour;
  readonly tag?: string;
}

interface PushedArtifact {
  readonly artifactType: string;
  readonly mediaType?: string;
  readonly bytes: Buffer | string;
  readonly annotations?: Readonly<Record<string, string>>;
}

interface IndexEntry {
  readonly digest: string;
  readonly platform?: string;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly artifactType?: string;
}

const digestOf = (bytes: Buffer): string =>
  `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

const toPlatform = (platform: string) => {
  const [os, architecture, variant] = platform.split('/');
  return { os, architecture, ...(variant && { variant }) };
};

const emptyConfig = { mediaType: 'application/vnd.oci.empty.v1+json', bytes: Buffer.from('{}') };

/** Answer to a request, without its body for HEAD. */
interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | number>>;
  readonly body: Buffer | string;
}

const answerJson = (
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Answer => ({
  status,
  headers: { 'Content-Type': 'application/json', ...headers },
  body: JSON.stringify(body),
});

const refuse = (
  status: number,
  code: string,
  headers: Readonly<Record<string, string>> = {},
): Answer => answerJson(status, { errors: [{ code, message: code.toLowerCase() }] }, headers);

/** True if `Accept` has the media type, or any. */
const accepts = ({ headers }: IncomingMessage, mediaType: string): boolean =>
  (headers.accept ?? '*/*')
    .split(',')
    .some((one) => ['*/*', mediaType].includes(one.split(';', 1)[0]?.trim() ?? ''));

/** One page of a list after `last`, and the query of the next one. */
const cutPage = <T>(
  all: readonly T[],
  keyOf: (one: T) => string,
  { n, last }: { readonly n: number; readonly last: string | null },
) => {
  const rest = last === null ? all : all.filter((one) => keyOf(one) > last);
  const page = rest.slice(0, n);
  const end = page.at(-1);
  return { page, next: rest.length > n && end !== undefined ? keyOf(end) : undefined };
};

/** Starts a registry of images. */
export const startOciRegistry = async (options: OciRegistryOptions = {}): Promise<OciRegistry> => {
  const { auth = 'none', users = {}, tokenLifetimeSeconds = 300, pageSize = 100 } = options;
  const { hasReferrersApi = true, redirectBlobsTo = () => undefined } = options;
  const repositories = new Map<string, Repository>();
  const tokens = new Map<string, { repository: string; until: number }>();
  const faults = new Map<string, { readonly path: RegExp; readonly fault: Fault }>();
  const requests: { method: string; path: string; headers: IncomingHttpHeaders }[] = [];
  let url = '';

  const open = (name: string): Repository => {
    const repository = repositories.get(name) ?? {
      ...{ blobs: new Map(), manifests: new Map(), tags: new Map() },
    };
    repositories.set(name, repository);
    return repository;
  };

  const findUser = ({ headers }: IncomingMessage): string | undefined => {
    const [, encoded = ''] = /^Basic (.*)$/.exec(headers.authorization ?? '') ?? [];
    const [name = '', password] = Buffer.from(encoded, 'base64').toString().split(':', 2);
    return password !== undefined && users[name] === password ? name : undefined;
  };

  const isPrivate = (repository: string): boolean => options.private?.includes(repository) ?? false;

  const giveToken = (request: IncomingMessage, url: URL): Answer => {
    const [kind, repository = '', actions] = (url.searchParams.get('scope') ?? '').split(':');
    const isRefused = request.headers.authorization !== undefined && !findUser(request);
    if (isRefused || (isPrivate(repository) && !findUser(request))) {
      return refuse(401, 'UNAUTHORIZED');
    }
    if (kind !== 'repository' || actions !== 'pull') return refuse(400, 'DENIED');
    const token = randomBytes(16).toString('hex');
    tokens.set(token, { repository, until: Date.now() + tokenLifetimeSeconds * 1000 });
    return answerJson(200, { token, expires_in: tokenLifetimeSeconds });
  };

  const mayRead = (request: IncomingMessage, repository: string): boolean => {
    if (auth === 'none') return true;
    if (auth === 'basic') return findUser(request) !== undefined || !isPrivate(repository);
    const [, token = ''] = /^Bearer (.*)$/.exec(request.headers.authorization ?? '') ?? [];
    const known = tokens.get(token);
    return known?.repository === repository && known.until > Date.now();
  };

  const challenge = (url: string, repository: string): string =>
    auth === 'basic'
      ? 'Basic realm="registry"'
      : `Bearer realm="${url}/token",service="registry.test",scope="repository:${repository}:pull"`;

  const showManifest = (
    request: IncomingMessage,
    { tags, manifests }: Repository,
    reference: string,
  ): Answer => {
    const digest = tags.get(reference) ?? reference;
    const stored = manifests.get(digest);
    if (!stored || !accepts(request, stored.mediaType)) return refuse(404, 'MANIFEST_UNKNOWN');
    const { bytes, mediaType } = stored;
    return {
      status: 200,
      headers: {
        ...{ 'Content-Type': mediaType, 'Content-Length': bytes.length },
        'Docker-Content-Digest': digest,
      },
      body: bytes,
    };
  };

  const showBlob = (path: string, { blobs }: Repository, digest: string): Answer => {
    const bytes = blobs.get(digest);
    if (!bytes) return refuse(404, 'BLOB_UNKNOWN');
    const elsewhere = redirectBlobsTo(path);
    if (elsewhere !== undefined) return { status: 307, headers: { Location: elsewhere }, body: '' };
    return {
      status: 200,
      headers: {
        ...{ 'Content-Type': 'application/octet-stream', 'Content-Length': bytes.length },
        'Docker-Content-Digest': digest,
      },
      body: bytes,
    };
  };

  const readPage = (url: URL) => ({
    n: Math.min(Number(url.searchParams.get('n') ?? pageSize), pageSize),
    last: url.searchParams.get('last'),
  });

  const toLink = (url: URL, next: string | undefined): Record<string, string> => {
    if (next === undefined) return {};
    const query = new URLSearchParams(url.searchParams);
    query.set('last', next);
    return { Link: `<${url.pathname}?${query}>; rel="next"` };
  };

  const listTags = (name: string, url: URL): Answer => {
    const all = [...open(name).tags.keys()].toSorted();
    const { page, next } = cutPage(all, (tag) => tag, readPage(url));
    return answerJson(200, { name, tags: page }, toLink(url, next));
  };

  const listReferrers = ({ manifests }: Repository, subject: string) =>
    [...manifests].flatMap(([digest, { bytes, mediaType }]) => {
      const manifest = JSON.parse(bytes.toString());
      if (manifest.subject?.digest !== subject) return [];
      const { artifactType = manifest.config?.mediaType, annotations } = manifest;
      const size = bytes.length;
      return [{ mediaType, digest, size, artifactType, ...(annotations && { annotations }) }];
    });

  const showReferrers = (repository: Repository, subject: string, url: URL): Answer => {
    if (!hasReferrersApi) {
      const headers = { 'Content-Type': 'text/plain' };
      return { status: 404, headers, body: '404 page not found' };
    }
    const wanted = url.searchParams.get('artifactType');
    const all = listReferrers(repository, subject)
      .filter(({ artifactType }) => wanted === null || artifactType === wanted)
      .toSorted((one, other) => (one.digest < other.digest ? -1 : 1));
    const { page, next } = cutPage(all, ({ digest }) => digest, readPage(url));
    return answerJson(
      200,
      { schemaVersion: 2, mediaType: types.oci.index, manifests: page },
      {
        'Content-Type': types.oci.index,
        ...(wanted !== null && { 'OCI-Filters-Applied': 'artifactType' }),
        ...toLink(url, next),
      },
    );
  };

  const answer = (request: IncomingMessage, path: string): Answer => {
    const here = new URL(path, url);
    if (here.pathname === '/token') return giveToken(request, here);
    if (here.pathname === '/v2/') return answerJson(200, {});
    const [, name = '', part, reference = ''] =
      /^\/v2\/(.+)\/(manifests|blobs|tags|referrers)\/(.+)$/.exec(here.pathname) ?? [];
    if (!['GET', 'HEAD'].includes(request.method ?? '')) return refuse(405, 'UNSUPPORTED');
    if (!mayRead(request, name)) {
      return refuse(401, 'UNAUTHORIZED', { 'WWW-Authenticate': challenge(url, name) });
    }
    const repository = repositories.get(name);
    if (!repository) return refuse(404, 'NAME_UNKNOWN');
    if (part === 'manifests') return showManifest(request, repository, reference);
    if (part === 'blobs') return showBlob(path, repository, reference);
    return part === 'tags' ? listTags(name, here) : showReferrers(repository, reference, here);
  };

  const server = createServer((request, response) => {
    const { method = '', url: path = '', headers } = request;
    requests.push({ method, path, headers });
    const found = [...faults.values()].find((one) => one.path.test(path));
    if (found) found.fault(request, response);
    else {
      const { status, body, headers: sent } = answer(request, path);
      response.writeHead(status, sent).end(method === 'HEAD' ? undefined : body);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  url = `http://${host}`;

  const pushBlob: OciRegistry['pushBlob'] = (name, content) => {
    const bytes = Buffer.from(content);
    open(name).blobs.set(digestOf(bytes), bytes);
    return digestOf(bytes);
  };

  const pushManifest: OciRegistry['pushManifest'] = (name, manifest, { mediaType, tag } = {}) => {
    const text = typeof manifest === 'string' ? manifest : JSON.stringify(manifest);
    const bytes = Buffer.from(text);
    const digest = digestOf(bytes);
    const own = typeof manifest === 'string' ? undefined : Object(manifest).mediaType;
    open(name).manifests.set(digest, {
      ...{ bytes, mediaType: mediaType ?? own ?? types.oci.manifest },
    });
    if (tag !== undefined) open(name).tags.set(tag, digest);
    return digest;
  };

  const describe = (name: string, mediaType: string, content: Buffer | string) => ({
    ...{ mediaType, digest: pushBlob(name, content), size: Buffer.from(content).length },
  });

  const pushImage: OciRegistry['pushImage'] = (name, image = {}) => {
    const { platform = 'linux/amd64', config = {}, flavour = 'oci', tag, created } = image;
    const { manifest: mediaType, ...own } = types[flavour];
    const document = { ...toPlatform(platform), created, config, rootfs: { type: 'layers' } };
    return pushManifest(
      name,
      {
        ...{ schemaVersion: 2, mediaType },
        config: describe(name, own.config, JSON.stringify(document)),
        layers: [describe(name, own.layer, `layer of ${platform}`)],
      },
      tag === undefined ? {} : { tag },
    );
  };

  const keepFallbackTag = (name: string, subject: string): void => {
    const manifests = listReferrers(open(name), subject);
    const tag = subject.replace(':', '-');
    pushManifest(name, { schemaVersion: 2, mediaType: types.oci.index, manifests }, { tag });
  };

  return {
    ...{ host, url, requests, pushBlob, pushManifest, pushImage },
    pushIndex: (name, entries, { flavour = 'oci', tag } = {}) =>
      pushManifest(
        name,
        {
          ...{ schemaVersion: 2, mediaType: types[flavour].index },
          manifests: entries.map(({ digest, platform, ...more }) => ({
            mediaType: open(name).manifests.get(digest)?.mediaType ?? types[flavour].manifest,
            ...{ digest, size: open(name).manifests.get(digest)?.bytes.length ?? 1 },
            ...(platform && { platform: toPlatform(platform) }),
            ...more,
          })),
        },
        tag === undefined ? {} : { tag },
      ),
    moveTag: (name, tag, digest) => void open(name).tags.set(tag, digest),
    deleteManifest: (name, reference) => {
      open(name).tags.delete(reference);
      open(name).manifests.delete(reference);
    },
    addReferrer: (
      name,
      subject,
      { artifactType, bytes, annotations, mediaType = artifactType },
    ) => {
      const digest = pushManifest(name, {
        ...{ schemaVersion: 2, mediaType: types.oci.manifest, artifactType },
        config: describe(name, emptyConfig.mediaType, emptyConfig.bytes),
        layers: [describe(name, mediaType, bytes)],
        subject: { mediaType: types.oci.manifest, digest: subject, size: 1 },
        ...(annotations && { annotations }),
      });
      if (!hasReferrersApi) keepFallbackTag(name, subject);
      return digest;
    },
    setFault: (path, fault) => {
      if (fault) faults.set(String(path), { path, fault });
      else faults.delete(String(path));
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
