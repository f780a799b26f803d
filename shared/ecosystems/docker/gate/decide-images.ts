import type { PinnedFiles } from '../../../domain/facts/pinned-files.ts';
import { isDigestVersion } from '../../../domain/packages/digest-version.ts';
import { isOwnPackage, type OwnPackages } from '../../../domain/packages/own-packages.ts';
import { type PackageId, toVersionKey } from '../../../domain/packages/package-id.ts';
import { isPackageName } from '../../../domain/packages/package-name.ts';
import { isPackageVersion } from '../../../domain/packages/package-version.ts';
import { statusAt } from '../../../domain/review/expiry.ts';
import { type Freeze, isFrozen } from '../../../domain/review/freeze.ts';
import { readFreeze } from '../../../storage/reviews/freeze.ts';
import { findPinnedDigest, findPinnedHashes } from '../../../storage/reviews/pinned-hashes.ts';
import { findStoredReviewStates, type ReviewState } from '../../../storage/reviews/review-state.ts';
import { type ImageReference, readImageReference } from '../image-reference.ts';
import {
  chooseReviewedImage,
  type ImageReviews,
  isDecided,
  isSubmitted,
  listImageVersions,
} from './reviewed-image.ts';

/** Decision about an image of a workload. */
export type ImageDecision =
  /** Approved by its digest, or the organisation's own. `hasIssues` is true for an approved image with a new issue. */
  | { readonly state: 'allowed'; readonly hasIssues: boolean }
  /**
   * An approved tag without a digest. `digest` is what its approval pinned; undefined if that is unknown. `hasMetadata` is
   * true if the registry has upstream metadata by now.
   */
  | {
      readonly state: 'unpinned';
      readonly id: PackageId;
      readonly digest: string | undefined;
      readonly hasMetadata: boolean;
      readonly hasIssues: boolean;
    }
  /** An approved tag with a digest that its approval did not pin. */
  | {
      readonly state: 'other-digest';
      readonly id: PackageId;
      readonly tag: string;
      readonly pinned: string | undefined;
    }
  /** Not approved. The review of `id` decided. */
  | { readonly state: 'refused'; readonly id: PackageId }
  /** Not a valid image reference. */
  | { readonly state: 'invalid' };

/** An image as written, with its decision. */
export type DecidedImage = ImageDecision & { readonly image: string };

/** Settings and time of a decision about images. */
export interface ImageContext {
  readonly now: Date;
  /** The organisation's own images, which need no review. */
  readonly own: readonly OwnPackages[];
}

/** What the registry has on the versions of all images. */
interface Known extends ImageContext, ImageReviews {
  readonly freeze: Freeze | undefined;
}

const toId = ({ name, version }: Pick<ImageReference, 'name' | 'version'>): PackageId => ({
  ...{ ecosystem: 'docker', name, version },
});

/** Returns a valid reference. Some runtimes reject another one, and others may interpret it differently. */
const parseImage = (image: string): ImageReference | undefined => {
  if (image.includes('@') && !/^[^@]+@sha256:[0-9a-f]{64}$/.test(image)) return undefined;
  const reference = readImageReference(image);
  const versions = listImageVersions(reference).map(({ version }) => version);
  return isPackageName('docker', reference.name) &&
    versions.every((version) => isPackageVersion('docker', version))
    ? reference
    : undefined;
};

const hasDigest = ({ version }: ImageReference): boolean => isDigestVersion(version);

const findHead = (id: PackageId, { heads }: Known): ReviewState | undefined =>
  heads.get(toVersionKey(id));

const isApproved = (id: PackageId, known: Known): boolean => {
  const head = findHead(id, known);
  return (
    head !== undefined &&
    statusAt(head, known.now) === 'approved' &&
    !isFrozen(known.freeze, id, head)
  );
};

const hasIssues = (id: PackageId, known: Known): boolean =>
  typeof findHead(id, known)?.attention === 'string';

/** Decides about a reference with a digest, by the version of the digest or by the digests that its tag was approved with. */
const decideDigest = (reference: ImageReference, known: Known): ImageDecision => {
  const own = toId(reference);
  const { id, content } = chooseReviewedImage(reference, known);
  if (content === 'other') {
    const { imageDigest: pinned } = known.pins.get(toVersionKey(id)) ?? {};
    // Without an approval of the tag, its digest allows nothing either.
    return isApproved(id, known)
      ? { state: 'other-digest', id: own, tag: id.version, pinned }
      : { state: 'refused', id: own };
  }
  return isApproved(id, known)
    ? { state: 'allowed', hasIssues: hasIssues(id, known) }
    : { state: 'refused', id };
};

const withDigest = ({ name, version }: ImageReference, digest: string): ImageReference => ({
  ...{ name, version: digest, tag: version },
});

/** Decides about a tag without a digest: as with the digest that its approval pinned, except that this has to be written. */
const decideTag = (reference: ImageReference, known: Known): ImageDecision => {
  const id = toId(reference);
  if (!isApproved(id, known)) return { state: 'refused', id };
  if (isOwnPackage(known.own, id)) {
    return { state: 'allowed', hasIssues: hasIssues(id, known) };
  }
  const { imageDigest: digest } = known.pins.get(toVersionKey(id)) ?? {};
  const hasMetadata = findHead(id, known)?.facts?.found === 'yes';
  const issues = { hasIssues: hasIssues(id, known) };
  const unpinned = { state: 'unpinned', id, digest, hasMetadata, ...issues } as const;
  if (digest === undefined) return unpinned;
  const pinned = decideDigest(withDigest(reference, digest), known);
  return pinned.state === 'allowed' ? unpinned : pinned;
};

const decide = (reference: ImageReference | undefined, known: Known): ImageDecision => {
  if (!reference) return { state: 'invalid' };
  const id = toId(reference);
  if (!isSubmitted(id, known) && isOwnPackage(known.own, id)) {
    return { state: 'allowed', hasIssues: false };
  }
  return hasDigest(reference) ? decideDigest(reference, known) : decideTag(reference, known);
};

/** Returns the tag whose pinned digests may decide about a reference. */
const findPinnedTag = (reference: ImageReference, known: Known): PackageId | undefined => {
  const own = toId(reference);
  if (isOwnPackage(known.own, own)) return undefined;
  if (!hasDigest(reference)) return isApproved(own, known) ? own : undefined;
  const { tag } = reference;
  return tag === undefined || isDecided(own, known) ? undefined : { ...own, version: tag };
};

const readPins = async (
  references: readonly ImageReference[],
  known: Known,
): Promise<ReadonlyMap<string, PinnedFiles>> => {
  const wanted = references.flatMap((reference) => {
    const id = findPinnedTag(reference, known);
    const head = id && findHead(id, known);
    const digest = head && findPinnedDigest(head);
    return id && digest !== undefined ? [{ ...id, digest }] : [];
  });
  return findPinnedHashes(wanted);
};

/** Returns the versions of the digests that tags without a digest stand for: their own reviews decide about them, too. */
const listPinnedVersions = (
  references: readonly ImageReference[],
  { pins }: Known,
): readonly PackageId[] =>
  references
    .filter((reference) => !hasDigest(reference))
    .flatMap((reference) => {
      const digest = pins.get(toVersionKey(toId(reference)))?.imageDigest;
      return digest === undefined ? [] : [toId({ ...reference, version: digest })];
    });

const eventual = { eventual: true } as const;

const readKnown = async (
  references: readonly ImageReference[],
  context: ImageContext,
): Promise<Known> => {
  const [states, freeze] = await Promise.all([
    findStoredReviewStates(references.flatMap(listImageVersions), eventual),
    readFreeze(),
  ]);
  const submitted: Known = { ...context, ...states, freeze, pins: new Map() };
  const known: Known = { ...submitted, pins: await readPins(references, submitted) };
  const pinned = await findStoredReviewStates(listPinnedVersions(references, known), eventual);
  return {
    ...known,
    heads: new Map([...known.heads, ...pinned.heads]),
    damaged: new Set([...known.damaged, ...pinned.damaged]),
  };
};

/**
 * Decides about images by their digests at the given time. Costs one read for 100 versions, another one for the digests
 * of 100 tags and one for their own reviews, and one of the freeze.
 */
export const decideImages = async (
  images: readonly string[],
  context: ImageContext,
): Promise<{
  readonly decided: readonly DecidedImage[];
  readonly freeze: Freeze | undefined;
}> => {
  const parsed = images.map((image) => ({ image, reference: parseImage(image) }));
  const known = await readKnown(
    parsed.flatMap(({ reference }) => reference ?? []),
    context,
  );
  const decided = parsed.map(({ image, reference }) => ({ image, ...decide(reference, known) }));
  return { decided, freeze: known.freeze };
};
