import {
  type ImageSbom,
  type SbomFormat,
  sbomFormats,
} from '../../../domain/facts/release-details.ts';
import {
  catchUpstreamError,
  isSuccess,
  UpstreamError,
} from '../../../util/outbound-http/upstream-error.ts';
import { isProvenanceType, isSignatureType } from '../../provenance/predicate-types.ts';
import type { ImageSource } from './image-source.ts';
import type { Descriptor } from './manifest-document.ts';
import type { Referrer, ReferrerList } from './referrers.ts';

/** What is attached to an image. Undefined: the registry does not say it. */
export interface Attached {
  /** True if the image has signatures, or signed attestations of its build. */
  readonly isSigned: boolean | undefined;
  readonly sboms: readonly ImageSbom[] | undefined;
}

/** Maximum number of SBOMs of an image that are described. */
const mostSboms = 5;

/** Matches the media type of a Sigstore bundle in any version. */
const bundleType = /^application\/vnd\.dev\.sigstore\.bundle\b/;

/** Media types of SBOMs as JSON, which scanners read. */
const sbomTypes: Readonly<Record<SbomFormat, string>> = {
  cyclonedx: 'application/vnd.cyclonedx+json',
  spdx: 'application/spdx+json',
};

/** True for a Sigstore bundle that may show who built or signed the image: others are about its contents or vulnerabilities. */
const isWanted = ({ artifactType = '', predicateType }: Referrer): boolean =>
  bundleType.test(artifactType) &&
  (predicateType === undefined ||
    isProvenanceType(predicateType) ||
    isSignatureType(predicateType));

const rank = ({ predicateType = '' }: Referrer): number => {
  if (isProvenanceType(predicateType)) return 0;
  return isSignatureType(predicateType) ? 2 : 1;
};

/** Returns the signatures and attestations among some artifacts, those of a build first. */
export const listBundles = ({ referrers }: ReferrerList): readonly Referrer[] =>
  referrers.filter(isWanted).toSorted((one, other) => rank(one) - rank(other));

/** True if an image has a signature or attestation in a format of cosign without bundles, which has a tag of its own. */
export const hasOldSignature = async (source: ImageSource, digest: string): Promise<boolean> => {
  const tag = digest.replace(':', '-');
  return (await source.hasTag(`${tag}.sig`)) || source.hasTag(`${tag}.att`);
};

/**
 * Returns the content of an artifact that is attached to an image: its only layer.
 * @throws {UpstreamError} if the artifact is missing, has another size, or is attached to another image
 */
export const findArtifactLayer = async (
  source: ImageSource,
  { digest, size }: Referrer,
  subject: string,
): Promise<Descriptor> => {
  const found = await source.fetchManifest(digest);
  const refuse = (why: string): UpstreamError =>
    new UpstreamError(`${source.host} lists the artifact ${digest}, which ${why}`);
  if (!found) throw refuse('it does not have');
  const { document, bytes } = found;
  if (size !== null && size !== bytes) throw refuse(`has ${bytes} bytes, and not ${size}`);
  if (document.kind !== 'image') throw refuse('is an index');
  if (document.subject !== subject) throw refuse('is attached to another image');
  const [layer, ...others] = document.layers;
  if (layer && others.length === 0) return layer;
  throw refuse(`has ${document.layers.length} layers, and not one`);
};

const findFormat = (type = ''): SbomFormat | undefined =>
  sbomFormats.find((format) => type.split(';', 1)[0]?.trim() === sbomTypes[format]);

/** Returns the digests of the SBOMs among some artifacts. An SBOM that the registry withholds is left out. */
const findSboms = async (
  source: ImageSource,
  { referrers }: ReferrerList,
  subject: string,
): Promise<readonly ImageSbom[]> => {
  const found = referrers.flatMap((referrer) => {
    const format = findFormat(referrer.artifactType);
    return format ? [{ referrer, format }] : [];
  });
  const sboms = await Promise.all(
    found.slice(0, mostSboms).map(async ({ referrer, format }): Promise<ImageSbom[]> => {
      const layer = await catchUpstreamError(() => findArtifactLayer(source, referrer, subject));
      if (!isSuccess(layer)) return [];
      return [{ format, digest: layer.digest, size: layer.size }];
    }),
  );
  return sboms.flat();
};

const findSigned = async (
  source: ImageSource,
  list: ReferrerList,
  digest: string,
): Promise<boolean | undefined> => {
  if (listBundles(list).length > 0) return true;
  const hasOld = await catchUpstreamError(() => hasOldSignature(source, digest));
  if (!isSuccess(hasOld)) return undefined;
  return hasOld || (list.isPartial ? undefined : false);
};

/**
 * Fetches what is attached to the image with a digest. A registry that refuses or fails to list it leaves that unknown: the
 * metadata of the image does not depend on it.
 */
export const fetchAttached = async (source: ImageSource, digest: string): Promise<Attached> => {
  const list = await catchUpstreamError(() => source.listReferrers(digest));
  if (!isSuccess(list)) return { isSigned: undefined, sboms: undefined };
  const [isSigned, sboms] = await Promise.all([
    findSigned(source, list, digest),
    findSboms(source, list, digest),
  ]);
  return { isSigned, sboms };
};
