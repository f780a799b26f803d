import { compareContent, type PinnedFiles } from '../../../domain/facts/pinned-files.ts';
import { parseFileHash } from '../../../domain/packages/file-hash.ts';
import { type PackageId, toVersionKey } from '../../../domain/packages/package-id.ts';
import type { ReviewState } from '../../../storage/reviews/review-state.ts';
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

/** What the registry has on the versions of images, by version key. */
export interface ImageReviews {
  readonly heads: ReadonlyMap<string, ReviewState>;
  /** Versions whose review is unreadable. */
  readonly damaged: ReadonlySet<string>;
  /** Digests that approvals pinned, as far as they are known. */
  readonly pins: ReadonlyMap<string, PinnedFiles>;
}

/** True if the version was submitted. */
export const isSubmitted = (
  id: PackageId,
  { heads, damaged }: Omit<ImageReviews, 'pins'>,
): boolean => heads.has(toVersionKey(id)) || damaged.has(toVersionKey(id));

/** True if a decision was made about the version, or its review is unreadable: that may be a rejection. */
export const isDecided = (id: PackageId, reviews: Omit<ImageReviews, 'pins'>): boolean =>
  isSubmitted(id, reviews) && reviews.heads.get(toVersionKey(id))?.revision !== 0;

/**
 * Returns the version whose review decides about an image. That is the version of the digest after a decision about it: a
 * rejected digest stays rejected under any tag. Otherwise it is the tag, if the digests that it was approved with are known.
 * A submission alone decides nothing: otherwise, it would stop the pods of an approved tag.
 */
export const chooseReviewedImage = (
  { name, version, tag }: ImageReference,
  reviews: ImageReviews,
): ReviewedImage => {
  const own: PackageId = { ecosystem: 'docker', name, version };
  const digest = parseFileHash(version);
  if (tag === undefined || !digest || isDecided(own, reviews)) return { id: own };
  const tagged: PackageId = { ...own, version: tag };
  const pins = isSubmitted(tagged, reviews) ? reviews.pins.get(toVersionKey(tagged)) : undefined;
  const { match } = compareContent([digest], pins ?? { hashes: [] });
  if (match === 'unknown' || (match === 'other' && isSubmitted(own, reviews))) return { id: own };
  return { id: tagged, content: match };
};
