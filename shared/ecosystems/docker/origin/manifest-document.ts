import { createHash } from 'node:crypto';
import { isObject, type JsonObject, readAt, readTextAt } from '../../../util/json.ts';
import { UpstreamError } from '../../../util/outbound-http/upstream-error.ts';
import { explainNonsense, type OriginAnswer, readJson } from '../../origin/origin-http.ts';
import { createSpellingCheck } from './spelling.ts';

/** Media type of an index of the OCI. */
export const indexType = 'application/vnd.oci.image.index.v1+json';

/** Media types of image indexes and of images, of the OCI and of Docker. */
const indexTypes: readonly string[] = [
  indexType,
  'application/vnd.docker.distribution.manifest.list.v2+json',
];
const imageTypes: readonly string[] = [
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.v2+json',
];
const configTypes: readonly string[] = [
  'application/vnd.oci.image.config.v1+json',
  'application/vnd.docker.container.image.v1+json',
];

/** Value of `Accept` for a manifest. */
export const manifestTypes = [...indexTypes, ...imageTypes].join(', ');

const digestPattern = /^sha256:[0-9a-f]{64}$/;

/** True for a SHA-256 digest, the only kind that image registries use. */
export const isImageDigest = (text: unknown): text is string =>
  typeof text === 'string' && digestPattern.test(text);

/** Returns the digest of some bytes, as image references have it. */
export const digestBytes = (bytes: Buffer): string =>
  `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

/** Reference to content by its digest. */
export interface Descriptor {
  readonly digest: string;
  readonly size: number | null;
  readonly mediaType: string | undefined;
}

/** Image of an index. */
export interface IndexEntry extends Descriptor {
  /** Platform such as `linux/arm64/v8`; empty if the index names none, or one that no engine has. */
  readonly platform: string;
}

/** Index of images, or image of one platform. */
export type ManifestDocument =
  | {
      readonly kind: 'index';
      readonly entries: readonly IndexEntry[];
      /** True if the index has images that are not among the entries. */
      readonly isPartial: boolean;
      /** True if the index has attestations of BuildKit, which are unsigned. */
      readonly hasAttestations: boolean;
    }
  | {
      readonly kind: 'image';
      /** Configuration; undefined if the artifact is no image that runs. */
      readonly config: Descriptor | undefined;
      /** Size of configuration and layers in bytes; null if unknown. */
      readonly size: number | null;
      /** Content of an artifact, such as a signature, or the layers of an image; those without a valid digest are left out. */
      readonly layers: readonly Descriptor[];
      /** Digest of the image to which an artifact is attached; undefined if it names none. */
      readonly subject: string | undefined;
    };

const mostImages = 200;

/** Names that container engines use for one architecture. Source: `platforms.Normalize` of containerd. */
const architectures: ReadonlyMap<string, string> = new Map([
  ['x86_64', 'amd64'],
  ['x86-64', 'amd64'],
  ['aarch64', 'arm64'],
  ['i386', '386'],
]);

const hasOtherDocumentNames = createSpellingCheck([
  ...['schemaVersion', 'mediaType', 'manifests', 'config', 'layers'],
]);
const hasOtherEntryNames = createSpellingCheck(['mediaType', 'digest', 'size', 'platform']);
const hasOtherPlatformNames = createSpellingCheck(['os', 'architecture', 'variant']);

const isSize = (size: unknown): size is number =>
  typeof size === 'number' && Number.isSafeInteger(size) && size >= 0;

/** Returns a valid size in bytes; null for any other value. */
export const readSize = (size: unknown): number | null => (isSize(size) ? size : null);

/** Returns a descriptor; undefined for other values, and for those that container engines could read as another one. */
export const readDescriptor = (value: unknown): Descriptor | undefined => {
  if (!isObject(value) || hasOtherEntryNames(value)) return undefined;
  const { digest, size } = value;
  if (!isImageDigest(digest)) return undefined;
  return { digest, size: readSize(size), mediaType: readTextAt(value, 'mediaType') };
};

/**
 * True if an entry is an attestation of BuildKit, which is stored like an image of an unknown platform. Its annotation does
 * not count: clusters choose an image by the platform alone, so that an annotation could hide an image that runs.
 */
const isAttestation = (entry: unknown): boolean =>
  readTextAt(entry, 'platform', 'os') === 'unknown' &&
  readTextAt(entry, 'platform', 'architecture') === 'unknown';

/**
 * Returns a platform as container engines normalize it. Other characters than theirs make it empty: a text that only looks
 * like `linux/amd64` is not the image that runs there.
 */
const formatPlatform = (platform: unknown): string => {
  if (!isObject(platform) || hasOtherPlatformNames(platform)) return '';
  const [os = '', named = '', variant = ''] = ['os', 'architecture', 'variant'].map((part) =>
    readTextAt(platform, part)?.toLowerCase(),
  );
  const architecture = architectures.get(named) ?? named;
  const isFirst = architecture === 'amd64' && variant === 'v1';
  const parts = [os, architecture, isFirst ? '' : variant].filter((part) => part !== '');
  return parts.every((part) => /^[\w.+-]{1,32}$/.test(part)) ? parts.join('/') : '';
};

const readEntry = (entry: unknown): IndexEntry | undefined => {
  const descriptor = readDescriptor(entry);
  const { mediaType } = descriptor ?? {};
  if (!descriptor || (mediaType !== undefined && !imageTypes.includes(mediaType))) return undefined;
  return { ...descriptor, platform: formatPlatform(readAt(entry, 'platform')) };
};

const readIndex = (manifests: readonly unknown[]): ManifestDocument => {
  const images = manifests.filter((entry) => !isAttestation(entry));
  const entries = images.slice(0, mostImages).flatMap((entry) => readEntry(entry) ?? []);
  return {
    kind: 'index',
    entries,
    isPartial: entries.length < images.length,
    hasAttestations: images.length < manifests.length,
  };
};

const sumSizes = (descriptors: readonly (Descriptor | undefined)[]): number | null => {
  const sizes = descriptors.map((one) => one?.size ?? null);
  if (sizes.includes(null)) return null;
  // Sizes that only a hostile registry reports could exceed the numbers that are exact.
  return readSize(sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0));
};

const readImage = (document: JsonObject): ManifestDocument => {
  const config = readDescriptor(document['config']);
  const isImage = configTypes.includes(config?.mediaType ?? '');
  const listed: readonly unknown[] | undefined = Array.isArray(document['layers'])
    ? document['layers']
    : undefined;
  const layers = listed?.map(readDescriptor);
  return {
    kind: 'image',
    config: isImage ? config : undefined,
    size: layers ? sumSizes([config, ...layers]) : null,
    layers: layers?.filter((layer) => layer !== undefined) ?? [],
    subject: readDescriptor(document['subject'])?.digest,
  };
};

/** Returns the media type in a `Content-Type` without parameters. */
const toMediaType = (header: string | null): string =>
  (header ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';

/**
 * Returns an index or an image from the body of a response.
 * @throws {UpstreamError} if it is neither, or could be read as both
 */
export const readManifestDocument = (who: string, answer: OriginAnswer): ManifestDocument => {
  const document = readJson(who, answer);
  const refuse = (why: string): UpstreamError => new UpstreamError(`${who} answered with ${why}`);
  if (!isObject(document)) throw explainNonsense(who, answer);
  if (document['schemaVersion'] === 1) {
    throw refuse('a manifest of the old schema 1, which clusters no longer run');
  }
  if (hasOtherDocumentNames(document)) throw refuse('a manifest with names in two spellings');
  const { manifests, config, layers } = document;
  const header = toMediaType(answer.headers.get('Content-Type'));
  const type = readTextAt(document, 'mediaType') ?? header;
  const isKnownHeader = [...indexTypes, ...imageTypes].includes(header);
  // What two clients could read as different images has no digest of one image (CVE-2021-41190).
  if (isKnownHeader && type !== header) throw refuse('a manifest of two media types');
  if (manifests !== undefined && (config !== undefined || layers !== undefined)) {
    throw refuse('a manifest that is an index and an image');
  }
  if (indexTypes.includes(type) && Array.isArray(manifests)) return readIndex(manifests);
  if (imageTypes.includes(type) && isObject(config)) return readImage(document);
  throw explainNonsense(who, answer);
};
