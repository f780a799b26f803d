import { createHash } from 'node:crypto';

/** Media types of the OCI, and of Docker. */
export const imageTypes = {
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

export type Flavour = keyof typeof imageTypes;

/** Content of one repository of a registry. */
export interface Repository {
  readonly blobs: Map<string, Buffer>;
  readonly manifests: Map<string, { readonly bytes: Buffer; readonly mediaType: string }>;
  /** Digests of manifests, by tag. */
  readonly tags: Map<string, string>;
}

/** Image of one platform. */
export interface PushedImage {
  /** Platform such as `linux/arm64/v8`; the default is `linux/amd64`. */
  readonly platform?: string;
  /** Settings of a container: `Labels`, `Entrypoint`, `Cmd`, `User`. */
  readonly config?: object;
  readonly created?: string;
  /** Size of the layer in bytes. */
  readonly layerSize?: number;
  readonly flavour?: Flavour;
  readonly tag?: string;
}

/** Artifact of one layer. */
export interface PushedArtifact {
  readonly artifactType: string;
  /** Media type of the layer; the default is the type of the artifact. */
  readonly mediaType?: string;
  readonly bytes: Buffer | string;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** Entry of an image index. */
export interface IndexEntry {
  readonly digest: string;
  readonly platform?: string;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly artifactType?: string;
}

/** Content of a registry, with the functions that change it. */
export interface OciStore {
  find(repository: string): Repository | undefined;
  /** Stores a blob and returns its digest. */
  pushBlob(repository: string, bytes: Buffer | string): string;
  /** Stores a manifest under its digest, and under a tag if there is one. Returns its digest. */
  pushManifest(
    repository: string,
    manifest: object | string,
    options?: { readonly mediaType?: string; readonly tag?: string },
  ): string;
  /** Stores config, layer and manifest of an image. Returns the digest of the manifest. */
  pushImage(repository: string, image?: PushedImage): string;
  /** Stores an index of images. Returns its digest. */
  pushIndex(
    repository: string,
    entries: readonly IndexEntry[],
    options?: { readonly flavour?: Flavour; readonly tag?: string },
  ): string;
  moveTag(repository: string, tag: string, digest: string): void;
  /** Deletes a tag, or a manifest by its digest with all of its tags. */
  deleteManifest(repository: string, reference: string): void;
  /** Stores an artifact that refers to a subject. Returns the digest of its manifest. */
  addReferrer(repository: string, subject: string, artifact: PushedArtifact): string;
}

const digestOf = (bytes: Buffer): string =>
  `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

const toPlatform = (platform: string) => {
  const [os, architecture, variant] = platform.split('/');
  return { os, architecture, ...(variant && { variant }) };
};

/** Returns the members of a stored document; none if it is no JSON object. */
// biome-ignore lint/suspicious/noExplicitAny: the content of a registry is any document.
const readDocument = (bytes: Buffer): any => {
  try {
    return Object(JSON.parse(bytes.toString()));
  } catch {
    return {};
  }
};

/** Returns the descriptors of all manifests that refer to a subject, by digest. */
export const listReferrers = ({ manifests }: Repository, subject: string) =>
  [...manifests]
    .flatMap(([digest, { bytes, mediaType }]) => {
      const manifest = readDocument(bytes);
      if (manifest.subject?.digest !== subject) return [];
      // An index has no config, so that one without a type of its own has none.
      const artifactType: string | undefined = manifest.artifactType || manifest.config?.mediaType;
      const { annotations } = manifest;
      return [
        {
          ...{ mediaType, digest, size: bytes.length },
          ...(artifactType && { artifactType }),
          ...(annotations && { annotations }),
        },
      ];
    })
    .toSorted((one, other) => (one.digest < other.digest ? -1 : 1));

/** Returns an empty store. `keepsFallbackTags` is for registries without the referrers API. */
export const createOciStore = (keepsFallbackTags: boolean): OciStore => {
  const repositories = new Map<string, Repository>();

  const open = (name: string): Repository => {
    const repository = repositories.get(name) ?? {
      ...{ blobs: new Map(), manifests: new Map(), tags: new Map() },
    };
    repositories.set(name, repository);
    return repository;
  };

  const pushBlob: OciStore['pushBlob'] = (name, content) => {
    const bytes = Buffer.from(content);
    const digest = digestOf(bytes);
    open(name).blobs.set(digest, bytes);
    return digest;
  };

  const pushManifest: OciStore['pushManifest'] = (name, manifest, { mediaType, tag } = {}) => {
    const bytes = Buffer.from(typeof manifest === 'string' ? manifest : JSON.stringify(manifest));
    const own: string | undefined = readDocument(bytes).mediaType;
    const digest = digestOf(bytes);
    const { manifests, tags } = open(name);
    manifests.set(digest, { bytes, mediaType: mediaType ?? own ?? imageTypes.oci.manifest });
    if (tag !== undefined) tags.set(tag, digest);
    return digest;
  };

  const pushPart = (name: string, mediaType: string, content: Buffer | string) => {
    const bytes = Buffer.from(content);
    return { mediaType, digest: pushBlob(name, bytes), size: bytes.length };
  };

  /** Descriptor of a manifest, which need not be there. */
  const describe = (name: string, digest: string, missingType: string) => {
    const { mediaType = missingType, bytes } = open(name).manifests.get(digest) ?? {};
    return { mediaType, digest, size: bytes?.length ?? 1 };
  };

  const keepFallbackTag = (name: string, subject: string): void => {
    const manifests = listReferrers(open(name), subject);
    const index = { schemaVersion: 2, mediaType: imageTypes.oci.index, manifests };
    pushManifest(name, index, { tag: subject.replace(':', '-') });
  };

  return {
    ...{ pushBlob, pushManifest },
    find: (name) => repositories.get(name),
    pushImage: (name, image = {}) => {
      const { platform = 'linux/amd64', config = {}, created, layerSize, tag } = image;
      const { manifest: mediaType, ...types } = imageTypes[image.flavour ?? 'oci'];
      const text = `layer of ${platform}`;
      const layer = pushPart(name, types.layer, Buffer.alloc(layerSize ?? text.length, text));
      const rootfs = { type: 'layers', diff_ids: [layer.digest] };
      const document = JSON.stringify({ ...toPlatform(platform), created, config, rootfs });
      const parts = { config: pushPart(name, types.config, document), layers: [layer] };
      const manifest = { schemaVersion: 2, mediaType, ...parts };
      return pushManifest(name, manifest, tag === undefined ? {} : { tag });
    },
    pushIndex: (name, entries, { flavour = 'oci', tag } = {}) => {
      const { index: mediaType, manifest } = imageTypes[flavour];
      const manifests = entries.map(({ digest, platform, ...more }) => ({
        ...describe(name, digest, manifest),
        ...(platform && { platform: toPlatform(platform) }),
        ...more,
      }));
      const index = { schemaVersion: 2, mediaType, manifests };
      return pushManifest(name, index, tag === undefined ? {} : { tag });
    },
    moveTag: (name, tag, digest) => void open(name).tags.set(tag, digest),
    deleteManifest: (name, reference) => {
      const { tags, manifests } = open(name);
      manifests.delete(reference);
      for (const [tag, digest] of tags) if ([tag, digest].includes(reference)) tags.delete(tag);
    },
    addReferrer: (name, subject, artifact) => {
      const { artifactType, bytes, annotations, mediaType = artifactType } = artifact;
      const digest = pushManifest(name, {
        ...{ schemaVersion: 2, mediaType: imageTypes.oci.manifest, artifactType },
        config: pushPart(name, 'application/vnd.oci.empty.v1+json', '{}'),
        layers: [pushPart(name, mediaType, bytes)],
        subject: describe(name, subject, imageTypes.oci.manifest),
        ...(annotations && { annotations }),
      });
      if (keepsFallbackTags) keepFallbackTag(name, subject);
      return digest;
    },
  };
};
