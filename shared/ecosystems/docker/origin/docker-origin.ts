import type { DockerImage } from '../../../domain/facts/manifest.ts';
import type { PackageId } from '../../../domain/packages/package-id.ts';
import { canonicalizeName } from '../../../domain/packages/package-name.ts';
import { isObject, type JsonObject, readAt, readTextAt } from '../../../util/json.ts';
import { UpstreamError } from '../../../util/outbound-http/upstream-error.ts';
import { explainNonsense, type Origin, readJson } from '../../origin/origin-http.ts';
import {
  type AskFor,
  refuseMissingName,
  refuseMissingVersion,
  toFoundFacts,
} from '../../origin/upstream-answer.ts';

const maxBytes = 4 * 1024 * 1024;
const mostImages = 200;
/** Number of tags that are searched for a digest: one page of results. */
const searchedTags = 100;

const digestPattern = /^sha256:[0-9a-f]{64}$/;

/** Returns the repository on Docker Hub, such as `library/nginx` for `nginx`; undefined for other registries. */
const toRepository = (name: string): string | undefined => {
  const [first = '', ...rest] = canonicalizeName('docker', name).split('/');
  if (rest.length === 0) return `library/${first}`;
  const isHost = /[.:]/.test(first) || first === 'localhost';
  return isHost ? undefined : [first, ...rest].join('/');
};

const askObject = async ({ ask, host }: Origin, path: string): Promise<JsonObject | undefined> => {
  const answer = await ask({ path, accept: 'application/json', maxBytes });
  if (!answer) return undefined;
  const value = readJson(host, answer);
  if (!isObject(value)) throw explainNonsense(host, answer);
  return value;
};

const readDigest = (value: unknown): string | null => {
  const digest = readTextAt(value, 'digest') ?? '';
  return digestPattern.test(digest) ? digest : null;
};

const listImages = (tag: JsonObject): JsonObject[] => {
  const images = readAt(tag, 'images');
  return (Array.isArray(images) ? images : []).filter(isObject).slice(0, mostImages);
};

/** True if the image is a BuildKit attestation, which BuildKit stores as an image with an unknown platform. */
const isAttestation = (image: JsonObject): boolean =>
  image['architecture'] === 'unknown' && image['os'] === 'unknown';

const toImage = (image: JsonObject): DockerImage[] => {
  const digest = readDigest(image);
  if (!digest || isAttestation(image)) return [];
  const platform = ['os', 'architecture', 'variant'].map((part) => readTextAt(image, part));
  const { size } = image;
  return [
    {
      platform: platform.filter(Boolean).join('/').slice(0, 100),
      digest,
      size: typeof size === 'number' ? size : null,
    },
  ];
};

/** Matches the start of the description of a deprecated official image. */
const deprecation = /^[^\p{L}]*deprecat/iu;

const readDeprecation = (repository: JsonObject): string | undefined =>
  [readTextAt(repository, 'description'), readTextAt(repository, 'full_description')].find(
    (text) => text !== undefined && deprecation.test(text),
  );

const hasDigest = (tag: JsonObject, digest: string): boolean =>
  [tag, ...listImages(tag)].some((one) => readDigest(one) === digest);

/**
 * Returns a tag that refers to the digest. Docker Hub cannot look up digests, so the search covers the 100 tags that
 * were pushed last.
 * @throws {UpstreamError} if none of these tags has the digest
 */
const findByDigest = async (
  origin: Origin,
  repository: string,
  digest: string,
): Promise<JsonObject> => {
  const path = `v2/repositories/${repository}/tags?page_size=${searchedTags}`;
  const results = readAt(await askObject(origin, path), 'results');
  const tags = (Array.isArray(results) ? results : []).filter(isObject);
  const found = tags.find((tag) => hasDigest(tag, digest));
  if (found) return found;
  throw new UpstreamError(
    `${origin.host} finds no digests, and none of the ${searchedTags} tags of ${repository} that were pushed last has this one`,
  );
};

const findTag = (
  origin: Origin,
  repository: string,
  version: string,
): Promise<JsonObject | undefined> =>
  digestPattern.test(version)
    ? findByDigest(origin, repository, version)
    : askObject(origin, `v2/repositories/${repository}/tags/${encodeURIComponent(version)}`);

/** Returns only the image whose digest was requested. Returns all images if none has that digest. */
const chooseImages = (images: readonly DockerImage[], version: string): readonly DockerImage[] => {
  const own = images.filter(({ digest }) => digest === version);
  return own.length > 0 ? own : images;
};

/**
 * Fetches the upstream metadata of a tag or digest from Docker Hub.
 * @throws {UpstreamError} also for an image of another registry, because no other origin is supported
 */
export const fetchDockerFacts: AskFor = async (origin, { name, version }: PackageId) => {
  const path = toRepository(name);
  if (!path)
    throw new UpstreamError(`${origin.host} has no images of other registries, such as ${name}`);
  const repository = await askObject(origin, `v2/repositories/${path}/`);
  if (!repository) return refuseMissingName(`${origin.host} has no image ${name}`);
  const tag = await findTag(origin, path, version);
  if (!tag)
    return refuseMissingVersion('docker', `${origin.host} has ${name}, but no tag ${version}`);
  const images = listImages(tag);
  const isDigest = digestPattern.test(version);
  return {
    facts: toFoundFacts('docker', {
      publishedAt: readTextAt(tag, 'tag_last_pushed') ?? readTextAt(tag, 'last_updated'),
      description: repository['description'],
      deprecated: readDeprecation(repository),
      installScripts: [],
      provenance: images.some(isAttestation) || undefined,
    }),
    manifest: {
      kind: 'docker',
      digest: isDigest ? version : readDigest(tag),
      images: chooseImages(images.flatMap(toImage), version),
    },
  };
};
