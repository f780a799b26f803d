import { compareContent, type PinnedFiles } from '../../../domain/facts/pinned-files.ts';
import { parseFileHash } from '../../../domain/packages/file-hash.ts';
import type { PackageId } from '../../../domain/packages/package-id.ts';
import type { ImageReference } from '../image-reference.ts';

/** Returns the versions that can allow an image: of its digest and of its tag. */
export const listImageVersions = ({ name, version, tag }: ImageReference): PackageId[] =>
  [version, ...(tag === undefined ? [] : [tag])].map((one) => ({
    ...{ ecosystem: 'docker', name, version: one },
  }));

/** Version whose review decides about an image. */
export interface ReviewedImage {
  readonly id: PackageId;
  /**
   * Result of the comparison of the reference's digest with the pinned digests of its tag; absent if the version is that of
   * the digest, or of a tag alone.
   */
  readonly content?: 'same' | 'other';
}

/** What the registry has on the versions of an image. */
export interface ImageReviews {
  /** True if the version was submitted. */
  readonly has: (id: PackageId) => boolean;
  /** True if nobody has ever decided about the submitted version. */
  readonly isUndecided: (id: PackageId) => boolean;
  /** Returns the digests that a version's approval pinned; undefined if they are unknown. */
  readonly pinsOf: (id: PackageId) => PinnedFiles | undefined;
}

/**
 * Returns the version whose review decides about an image. That is the version of the digest after a decision about it: a
 * rejected digest stays rejected under any tag. Otherwise it is the tag, if the digests that it was approved with are known.
 * A submission alone decides nothing: otherwise, it would stop the pods of an approved tag.
 */
export const chooseReviewedImage = (
  reference: ImageReference,
  { has, isUndecided, pinsOf }: ImageReviews,
): ReviewedImage => {
  const { name, version, tag } = reference;
  const own: PackageId = { ecosystem: 'docker', name, version };
  const digest = parseFileHash(version);
  if (tag === undefined || !digest || (has(own) && !isUndecided(own))) return { id: own };
  const tagged: PackageId = { ...own, version: tag };
  const pins = has(tagged) ? pinsOf(tagged) : undefined;
  const { match } = compareContent([digest], pins ?? { hashes: [] });
  if (match === 'unknown' || (match === 'other' && has(own))) return { id: own };
  return { id: tagged, content: match };
};
