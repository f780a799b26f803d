import type { Manifest } from '../../../domain/facts/manifest.ts';
import { parseFileHash } from '../../../domain/packages/file-hash.ts';
import type { PackageId } from '../../../domain/packages/package-id.ts';
import { parseJson, readAt } from '../../../util/json.ts';
import {
  catchUpstreamError,
  isSuccess,
  UpstreamError,
} from '../../../util/outbound-http/upstream-error.ts';
import {
  type FetchedAttestations,
  maxAttestationBytes,
  mostAttestations,
  toGap,
} from '../../provenance/file-attestations.ts';
import { findArtifactLayer, hasOldSignature, listBundles } from './artifacts.ts';
import type { ImageOrigins } from './docker-origin.ts';
import { toImageAddress } from './image-address.ts';
import { type ImageSource, openImageSource } from './image-source.ts';
import type { Referrer } from './referrers.ts';

/**
 * Fetches a Sigstore bundle that is attached to an image, and checks its digest and size.
 * @throws {UpstreamError} if a request fails, or the registry has something else
 */
const fetchBundle = async (
  source: ImageSource,
  referrer: Referrer,
  subject: string,
): Promise<unknown> => {
  const layer = await findArtifactLayer(source, referrer, subject);
  const bytes = await source.fetchBlob(layer, maxAttestationBytes);
  const bundle = bytes && parseJson(bytes.toString());
  if (bundle !== undefined) return bundle;
  throw new UpstreamError(`${source.host} has no bundle with the digest ${layer.digest}`);
};

const signedWithKey =
  'The image is signed with a key in place of a certificate, so that its signer is unknown.';

/** True for a bundle by a key that its signer manages, in place of a certificate. */
const isSignedWithKey = (bundle: unknown): boolean => {
  const material = readAt(bundle, 'verificationMaterial');
  return (
    readAt(material, 'publicKey') !== undefined &&
    readAt(material, 'certificate') === undefined &&
    readAt(material, 'x509CertificateChain') === undefined
  );
};

/** Returns why an image without Sigstore bundles is not checked. */
const explainMissing = async (source: ImageSource, digest: string): Promise<string> =>
  (await hasOldSignature(source, digest))
    ? 'The image has a signature in an older format of cosign, without a bundle, which is not checked.'
    : 'The image has no signed attestation: those that BuildKit adds to an index are not signed.';

/**
 * Fetches the Sigstore bundles that are attached to an image. They have to be about its pinned digest: the names in them are free text.
 * @throws {UpstreamError} if the registry does not list what is attached to the image
 */
export const fetchImageAttestations = async (
  { host, registry }: ImageOrigins,
  { name }: PackageId,
  manifest: Manifest,
): Promise<FetchedAttestations> => {
  const digest = manifest.kind === 'docker' ? manifest.digest : '';
  const hash = parseFileHash(digest);
  if (!registry || !hash) return toGap(`${host} has no image with a digest that could be checked.`);
  const source = openImageSource(registry, toImageAddress(name).repository);
  const list = await source.listReferrers(digest);
  const found = listBundles(list);
  if (found.length === 0) return toGap(await explainMissing(source, digest));
  const answers = await Promise.all(
    found
      .slice(0, mostAttestations)
      .map((referrer) => catchUpstreamError(() => fetchBundle(source, referrer, digest))),
  );
  const fault = answers.find((answer) => answer instanceof UpstreamError);
  const bundles = answers.filter(isSuccess).filter((bundle) => !isSignedWithKey(bundle));
  const isLimited = found.length > mostAttestations || list.isPartial;
  return {
    files:
      bundles.length > 0 ? [{ subject: { isName: () => true, hash, isImage: true }, bundles }] : [],
    gap: fault?.message ?? (bundles.length > 0 ? null : signedWithKey),
    limit: isLimited ? `Only the first ${mostAttestations} attestations were checked.` : null,
  };
};
