import type { CollectedFacts, CollectedRelease } from '../../../domain/facts/collected-facts.ts';
import type { Facts } from '../../../domain/facts/facts.ts';
import type { DockerImage, Manifest } from '../../../domain/facts/manifest.ts';
import type { ReleaseDetails } from '../../../domain/facts/release-details.ts';
import type { PackageId } from '../../../domain/packages/package-id.ts';
import {
  catchPermanentFault,
  isSuccess,
  RefusedRequestError,
  UpstreamError,
} from '../../../util/outbound-http/upstream-error.ts';
import type { Origin } from '../../origin/origin-http.ts';
import {
  listUnreadable,
  refuseMissingName,
  refuseMissingVersion,
  toFoundFacts,
} from '../../origin/upstream-answer.ts';
import { type Attached, fetchAttached } from './artifacts.ts';
import { fetchHubDetails, type HubDetails } from './hub-details.ts';
import { hubHost, toImageAddress } from './image-address.ts';
import { type ImageConfig, maxConfigBytes, readImageConfig } from './image-config.ts';
import {
  type FoundManifest,
  type ImageSource,
  openImageSource,
  type RegistryApi,
} from './image-source.ts';
import { type IndexEntry, isImageDigest } from './manifest-document.ts';

/** Origins of the requests about one image. */
export interface ImageOrigins {
  /** Host of the image's registry. */
  readonly host: string;
  /** Registry of the image; undefined if the settings do not name it. */
  readonly registry: RegistryApi | undefined;
  /** Docker Hub's web API. */
  readonly hub: Origin;
}

/** Platform whose configuration describes an image. Most images have it. */
const describedPlatform = 'linux/amd64';

/** An image of one platform with its configuration. */
interface DescribedImage {
  readonly digest: string;
  readonly size: number | null;
  readonly config: ImageConfig | undefined;
}

const describeImage = async (
  source: ImageSource,
  { digest, document }: FoundManifest,
): Promise<DescribedImage> => {
  const { config: blob, size } =
    document.kind === 'image' ? document : { config: undefined, size: null };
  const bytes = blob && (await catchPermanentFault(() => source.fetchBlob(blob, maxConfigBytes)));
  return {
    ...{ digest, size },
    config: bytes && isSuccess(bytes) ? readImageConfig(bytes) : undefined,
  };
};

const chooseEntry = (entries: readonly IndexEntry[]): IndexEntry | undefined =>
  entries.find(({ platform }) => platform === describedPlatform) ?? entries[0];

/** Returns the image that describes the others of its index. An image that the registry withholds describes none. */
const fetchDescribed = async (
  source: ImageSource,
  found: FoundManifest,
): Promise<DescribedImage | undefined> => {
  const { document } = found;
  if (document.kind === 'image') return describeImage(source, found);
  const entry = chooseEntry(document.entries);
  const manifest = entry && (await catchPermanentFault(() => source.fetchManifest(entry.digest)));
  return manifest && isSuccess(manifest) ? describeImage(source, manifest) : undefined;
};

const toManifest = (
  { digest, document }: FoundManifest,
  described: DescribedImage | undefined,
  sizes: HubDetails['sizes'] = new Map(),
): Manifest => {
  if (document.kind === 'image') return { kind: 'docker', digest, images: [] };
  const images = document.entries.map(({ platform, digest: own }): DockerImage => {
    const known = described?.digest === own ? described.size : null;
    return { platform, digest: own, size: known ?? sizes.get(own) ?? null };
  });
  return { kind: 'docker', digest, images, ...(document.isPartial && { isPartial: true }) };
};

/** Returns why a registry refused a request; other errors are rethrown. */
const explainRefusal = (error: unknown): UpstreamError => {
  if (error instanceof RefusedRequestError && [401, 403].includes(error.status)) {
    const why = 'the image is private, or does not exist';
    return new UpstreamError(`${error.message}: ${why}`);
  }
  throw error;
};

const fetchOf = async (
  source: ImageSource,
  { name, version }: PackageId,
): Promise<FoundManifest | CollectedFacts> => {
  const found = await source.fetchManifest(version);
  if (found) return found;
  const { host } = source;
  const exists = await source.exists();
  const what = `${isImageDigest(version) ? 'image with the digest' : 'tag'} ${version}`;
  if (exists === undefined) {
    throw new UpstreamError(`${host} has no ${what} of ${name}, and refused to list its tags`);
  }
  if (!exists) return refuseMissingName(`${host} has no image ${name}`);
  return refuseMissingVersion('docker', `${host} has ${name}, but no ${what}`);
};

/** Returns the digest of known metadata; undefined without a digest or configuration, which a registry may have withheld for a time. */
const findKnownDigest = (known: CollectedRelease | undefined): string | undefined =>
  known?.facts.found === 'yes' && known.details?.described && known.manifest?.kind === 'docker'
    ? known.manifest.digest
    : undefined;

/** Returns facts with the current details of Docker Hub, if its web API answers. */
const addHubDetails = (facts: Facts, hub: HubDetails | undefined): Facts => {
  if (!hub) return facts;
  const { deprecated, published_at, description } = toFoundFacts('docker', hub.statements);
  return {
    ...{ ...facts, deprecated },
    published_at: published_at ?? facts.published_at,
    description: description ?? facts.description,
  };
};

/** Returns details with the SBOMs of an image, if the registry shows them. */
const addSboms = (
  details: ReleaseDetails | undefined,
  { sboms }: Attached,
): Pick<CollectedRelease, 'details'> => {
  const added = sboms === undefined ? details : { described: false, ...details, sboms };
  return added ? { details: added } : {};
};

/** Returns known metadata with the current details of Docker Hub, and with what is attached to the image now. */
const confirm = (
  known: CollectedRelease,
  hub: HubDetails | undefined,
  attached: Attached,
): CollectedRelease => {
  const facts = addHubDetails(known.facts, hub);
  // An attestation of BuildKit is in the index, which has not changed.
  const provenance = facts.provenance || (attached.isSigned ?? facts.provenance);
  return {
    ...{ ...known, facts: { ...facts, provenance } },
    ...addSboms(known.details, attached),
  };
};

const collect = (
  found: FoundManifest,
  described: DescribedImage | undefined,
  hub: HubDetails | undefined,
  attached: Attached,
): CollectedRelease => {
  const { statements: ofImage = {}, details } = described?.config ?? {};
  const hasUnsigned = found.document.kind === 'index' && found.document.hasAttestations;
  const statements = {
    ...ofImage,
    publishedAt: hub?.statements.publishedAt,
    description: hub?.statements.description ?? ofImage.description,
    deprecated: hub?.statements.deprecated,
    installScripts: [],
    provenance: hasUnsigned || attached.isSigned,
  };
  const facts = toFoundFacts('docker', statements);
  const read = details && { ...details, ...listUnreadable(statements, facts) };
  return { facts, manifest: toManifest(found, described, hub?.sizes), ...addSboms(read, attached) };
};

/**
 * Fetches the upstream metadata of a tag or digest from the registry in the image's name.
 * @param known stored metadata, which is returned if the image has not changed
 * @throws {UpstreamError} also for an image of a registry that the settings do not name
 */
export const fetchDockerFacts = async (
  { host, registry, hub }: ImageOrigins,
  id: PackageId,
  known?: CollectedRelease,
): Promise<CollectedRelease> => {
  const { name, version } = id;
  if (!registry) {
    throw new UpstreamError(
      `${host} is not among the image registries of the settings, so it was not asked`,
    );
  }
  const { repository } = toImageAddress(name);
  const source = openImageSource(registry, repository);
  const tag = isImageDigest(version) ? undefined : version;
  const askHub = (): Promise<HubDetails | undefined> =>
    host === hubHost ? fetchHubDetails(hub, repository, tag) : Promise.resolve(undefined);
  try {
    const digest = findKnownDigest(known);
    // A request for the headers alone counts for no limit of pulls.
    if (known && digest !== undefined && (await source.findDigest(version)) === digest) {
      return confirm(known, ...(await Promise.all([askHub(), fetchAttached(source, digest)])));
    }
    const found = await fetchOf(source, id);
    if (!('document' in found)) return found;
    const described = await fetchDescribed(source, found);
    return collect(found, described, await askHub(), await fetchAttached(source, found.digest));
  } catch (error) {
    throw explainRefusal(error);
  }
};
