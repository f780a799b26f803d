import type { CheckReason } from '../../api/schemas/check.ts';
import type { PinnedFiles } from '../../domain/facts/pinned-files.ts';
import { maxWithHashes } from '../../domain/packages/check-limits.ts';
import { isDigestVersion } from '../../domain/packages/digest-version.ts';
import { type PackageId, toVersionKey } from '../../domain/packages/package-id.ts';
import { isPackageVersion } from '../../domain/packages/package-version.ts';
import {
  chooseReviewedImage,
  type ImageReviews,
  listImageVersions,
} from '../../ecosystems/docker/gate/reviewed-image.ts';
import type { ImageReference } from '../../ecosystems/docker/image-reference.ts';
import { hasReadUnits } from '../../storage/dynamodb/read-budget.ts';
import { findPinnedDigest, findPinnedHashes } from '../../storage/reviews/pinned-hashes.ts';
import type { ReviewState } from '../../storage/reviews/review-state.ts';
import type { AskedPackage, AskedVersion } from './requested-package.ts';

/** Returns the reference of an image that is requested by its tag with one digest; undefined for all others. */
const toReference = ({ id, hashes }: AskedVersion): ImageReference | undefined => {
  const [hash, ...more] = hashes;
  if (id.ecosystem !== 'docker' || isDigestVersion(id.version) || more.length > 0) return undefined;
  if (hash?.algorithm !== 'sha256') return undefined;
  return { name: id.name, version: `sha256:${hash.hex}`, tag: id.version };
};

const hasHashes = (asked: AskedPackage): boolean => 'id' in asked && asked.hashes.length > 0;

/**
 * Limits the versions with hashes to those that one check compares. Package URLs of images with a tag and a digest may
 * exceed the limit: the rest is checked by the digest alone.
 */
export const limitDigests = (asked: readonly AskedPackage[]): readonly AskedPackage[] => {
  let left = maxWithHashes;
  return asked.map((one) => {
    if (!hasHashes(one)) return one;
    left -= 1;
    const image = 'id' in one ? toReference(one) : undefined;
    if (left >= 0 || !image || !('id' in one)) return one;
    return { ...one, id: { ...one.id, version: image.version }, hashes: [] };
  });
};

/** Returns the versions that can decide a request: for an image with a tag and a digest, both. */
export const listDecisive = (asked: AskedVersion): readonly PackageId[] => {
  const image = toReference(asked);
  return image ? listImageVersions(image) : [asked.id];
};

/**
 * Returns a request with the version that decides it. The tag of an image with a digest decides only if the digests of
 * its review are known, and there is no decision about the digest itself.
 */
export const settleImage = (asked: AskedVersion, reviews: ImageReviews): AskedVersion => {
  const image = toReference(asked);
  if (!image) return asked;
  const { id, content } = chooseReviewedImage(image, reviews);
  return { ...asked, id, hashes: content === undefined ? [] : asked.hashes };
};

/**
 * Returns the digests that approvals of tags pinned, for images that are requested by their tag alone. The reads are
 * bounded together with those of versions with hashes, and omitted if the read budget is too small for them.
 */
export const findTagPins = async (
  asked: readonly AskedVersion[],
  heads: ReadonlyMap<string, ReviewState>,
): Promise<ReadonlyMap<string, PinnedFiles>> => {
  const hashed = asked.filter(hasHashes).length;
  const wanted = asked.flatMap(({ id, hashes }) => {
    if (id.ecosystem !== 'docker' || isDigestVersion(id.version) || hashes.length > 0) return [];
    const head = heads.get(toVersionKey(id));
    const digest = head?.status === 'approved' ? findPinnedDigest(head) : undefined;
    return digest === undefined ? [] : [{ ...id, digest }];
  });
  const read = wanted.slice(0, Math.max(0, maxWithHashes - hashed));
  return hasReadUnits(read.length) ? findPinnedHashes(read) : new Map();
};

/** Explains that a tag was reviewed with another digest than the requested one. */
export const explainOtherDigest = (
  { id, hashes }: AskedVersion,
  { imageDigest }: Pick<PinnedFiles, 'imageDigest'>,
): CheckReason => {
  const { name, version: tag } = id;
  const digest = `sha256:${hashes[0]?.hex ?? ''}`;
  const use = imageDigest === undefined ? '' : `write ${name}:${tag}@${imageDigest}, or `;
  return {
    code: 'other_content',
    message: `The tag ${tag} was reviewed with ${imageDigest ?? 'other digests'}, and not with ${digest}. Do not use this image; ${use}submit ${name}@${digest} for a review of its own.`,
  };
};

/**
 * Returns the digest that the approval of a requested tag pinned. There is none if the request has this digest, or names
 * a digest alone.
 */
export const findTagDigest = (
  { id }: AskedVersion,
  contents: ReadonlyMap<string, PinnedFiles>,
): string | undefined => {
  if (id.ecosystem !== 'docker' || isDigestVersion(id.version)) return undefined;
  const pinned = contents.get(toVersionKey(id))?.imageDigest;
  // An image with a digest of another algorithm has no version of this digest.
  return pinned && isDigestVersion(pinned) && isPackageVersion('docker', pinned)
    ? pinned
    : undefined;
};
