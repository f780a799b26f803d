import { statusAt } from '../../domain/expiry.ts';
import { readImageReference } from '../../domain/image-reference.ts';
import { type PackageId, toVersionKey } from '../../domain/package-id.ts';
import { isPackageName } from '../../domain/package-name.ts';
import { isPackageVersion } from '../../domain/package-version.ts';
import type { AdmissionAnswer, AdmissionReview } from '../../schemas/admission.ts';
import { findHeads } from '../../store/reviews/heads.ts';
import { refuseVersion } from '../refusal.ts';

type Pod = NonNullable<AdmissionReview['request']['object']>;

/** As many images are told of as a person reads. */
const mostTold = 5;

/** What a version of an image is told as where it cannot be one. */
type Reading = { readonly image: string; readonly id: PackageId | undefined };

const readImage = (image: string): Reading => {
  const { name, version } = readImageReference(image);
  const isOne = isPackageName('docker', name) && isPackageVersion('docker', version);
  return { image, id: isOne ? { ecosystem: 'docker', name, version } : undefined };
};

const listImages = ({ spec }: Pod): readonly Reading[] => {
  const containers = [
    ...(spec?.containers ?? []),
    ...(spec?.initContainers ?? []),
    ...(spec?.ephemeralContainers ?? []),
  ];
  const images = containers.flatMap(({ image }) => (image === undefined ? [] : [image]));
  return [...new Set(images)].map(readImage);
};

/** The images that are not approved at a moment: one read for 100 of them. */
const findRefused = async (images: readonly Reading[], now: Date): Promise<readonly Reading[]> => {
  const heads = await findHeads(images.flatMap(({ id }) => id ?? []));
  return images.filter(({ id }) => {
    const head = id && heads.get(toVersionKey(id));
    return !head || statusAt(head, now) !== 'approved';
  });
};

const explain = async ({ image, id }: Reading, now: Date): Promise<string> =>
  id ? (await refuseVersion(id, now)).message : `${image} is no image that can be`;

/** Says whether a pod may run: all images of all its containers are approved, by their tags or digests. */
export const admitPod = async (
  { apiVersion, kind, request }: AdmissionReview,
  now: Date,
): Promise<AdmissionAnswer> => {
  const { uid, object } = request;
  const refused = object ? await findRefused(listImages(object), now) : [];
  if (refused.length === 0) return { apiVersion, kind, response: { uid, allowed: true } };
  const told = await Promise.all(refused.slice(0, mostTold).map((one) => explain(one, now)));
  const more = refused.length - told.length;
  const message = [...told, ...(more > 0 ? [`and ${more} more`] : [])].join('. ');
  return { apiVersion, kind, response: { uid, allowed: false, status: { code: 403, message } } };
};
