import {
  type AdmissionAnswer,
  type AdmissionReview,
  maxReviewBytes,
} from '../../../api/schemas/admission.ts';
import { isOwnPackage, type OwnPackages } from '../../../domain/packages/own-packages.ts';
import { type PackageId, toVersionKey } from '../../../domain/packages/package-id.ts';
import { isPackageName } from '../../../domain/packages/package-name.ts';
import { isPackageVersion } from '../../../domain/packages/package-version.ts';
import { formatSubmitCommand } from '../../../domain/packages/submit-command.ts';
import { statusAt } from '../../../domain/review/expiry.ts';
import { type Freeze, isFrozen } from '../../../domain/review/freeze.ts';
import { isTooMuchToRead } from '../../../storage/dynamodb/read-budget.ts';
import { readFreeze } from '../../../storage/reviews/freeze.ts';
import { findStoredReviewStates } from '../../../storage/reviews/review-state.ts';
import { type GateMoment, refuseVersion, toOneLine } from '../../gate/refusal.ts';
import { readImageReference } from '../image-reference.ts';

type Workload = NonNullable<AdmissionReview['request']['object']>;
type PodSpec = Pick<
  NonNullable<Workload['spec']>,
  'containers' | 'initContainers' | 'ephemeralContainers' | 'volumes'
>;

/** Kinds of pods and pod controllers. Their specs list all images that will run. */
const workloadKinds = [
  'Pod',
  'Deployment',
  'StatefulSet',
  'DaemonSet',
  'ReplicaSet',
  'ReplicationController',
  'Job',
  'CronJob',
];

/** Limit of images listed in one message, so that a person can read it. */
const maxListedImages = 5;

/** Limit of images in one review. Real pods have fewer. */
const mostImages = 200;

const answered = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview' } as const;

/** An image as written in the pod, with its identity; `id` is undefined if the reference is invalid. */
type Reading = { readonly image: string; readonly id: PackageId | undefined };

const readImage = (image: string): Reading => {
  const { name, version } = readImageReference(image);
  // Some runtimes reject such a reference, and others may interpret it differently.
  const isStrange = image.includes('@') && !/^[^@]+@sha256:[0-9a-f]{64}$/.test(image);
  const isOne = !isStrange && isPackageName('docker', name) && isPackageVersion('docker', version);
  return { image, id: isOne ? { ecosystem: 'docker', name, version } : undefined };
};

const listOfPod = (spec: PodSpec): readonly (string | undefined)[] => [
  ...[spec.containers, spec.initContainers, spec.ephemeralContainers].flatMap((containers) =>
    (containers ?? []).map(({ image }) => image),
  ),
  ...(spec.volumes ?? []).map(({ image }) => image?.reference),
];

const listImages = ({ spec }: Workload): ReadonlySet<string> => {
  const pods = [spec, spec?.template?.spec, spec?.jobTemplate?.spec?.template?.spec];
  const images = pods.flatMap((pod) => (pod ? listOfPod(pod) : []));
  return new Set(images.filter((image) => image !== undefined));
};

const refuse = (uid: string, message: string): AdmissionAnswer => ({
  ...answered,
  response: { uid, allowed: false, status: { code: 403, message } },
});

/** Matches the UID of a review. The API server writes the UID first, before any text that a user controls. */
const reviewUid = /^[^{]*\{[^{]*"request"\s*:\s*\{\s*"uid"\s*:\s*"([\w-]{1,100})"/;

/**
 * Returns the refusal of a review that is too large to read. An error would admit the pod if the webhook's
 * `failurePolicy` is `Ignore`.
 * @param beginning the first part of the review
 * @returns undefined if the beginning does not contain the UID of the review
 */
export const refuseLargeReview = (beginning: string): AdmissionAnswer | undefined => {
  const [, uid] = reviewUid.exec(beginning) ?? [];
  if (uid === undefined) return undefined;
  const message = `The review is larger than ${maxReviewBytes} bytes, so nothing in it was checked: make the workload smaller, or move data to a ConfigMap`;
  return refuse(uid, message);
};

interface Judged {
  readonly refused: readonly Reading[];
  /** Approved images with a new issue (`attention`). */
  readonly doubtful: readonly Reading[];
  readonly freeze: Freeze | undefined;
}

interface AdmissionContext extends Omit<GateMoment, 'freeze'> {
  /** The organisation's own images, which need no review. */
  readonly own: readonly OwnPackages[];
}

/** Evaluates the review states of images at the given time. Costs one read for 100 images, and one of the freeze. */
const judge = async (
  images: readonly Reading[],
  { own, now }: AdmissionContext,
): Promise<Judged> => {
  const ids = images.flatMap(({ id }) => id ?? []);
  const [{ heads, damaged }, freeze] = await Promise.all([
    findStoredReviewStates(ids, { eventual: true }),
    readFreeze(),
  ]);
  const find = ({ id }: Reading) => id && heads.get(toVersionKey(id));
  const isApproved = (one: Reading): boolean => {
    const head = find(one);
    if (head && one.id) {
      return statusAt(head, now) === 'approved' && !isFrozen(freeze, one.id, head);
    }
    return one.id !== undefined && !damaged.has(toVersionKey(one.id)) && isOwnPackage(own, one.id);
  };
  return {
    refused: images.filter((one) => !isApproved(one)),
    doubtful: images.filter((one) => isApproved(one) && typeof find(one)?.attention === 'string'),
    freeze,
  };
};

const longestWarning = 120;

/** Returns the warning for an approved image, in at most 120 characters. The API server may cut longer warnings. */
const warn = ({ image }: Reading): string => {
  const why = ' is approved, but has new issues';
  const room = longestWarning - why.length;
  return `${image.length > room ? `${image.slice(0, room - 3)}...` : image}${why}`;
};

const explain = async ({ image, id }: Reading, moment: GateMoment): Promise<string> => {
  if (!id) return `${toOneLine(image)} is no image that can be`;
  const { message, parts } = await refuseVersion(id, moment);
  return parts.submittable ? `${message}; ask: ${formatSubmitCommand(parts.submittable)}` : message;
};

/** Returns the answer to a review: the pod is admitted if all images are approved. */
const judgeImages = async (
  uid: string,
  images: readonly string[],
  context: AdmissionContext,
): Promise<AdmissionAnswer> => {
  const { refused, doubtful, freeze } = await judge(images.map(readImage), context);
  if (refused.length === 0) {
    const warnings = doubtful.slice(0, maxListedImages).map(warn);
    const said = warnings.length > 0 ? { warnings } : {};
    return { ...answered, response: { uid, allowed: true, ...said } };
  }
  const reasons = await Promise.all(
    refused.slice(0, maxListedImages).map((one) => explain(one, { ...context, freeze })),
  );
  const more = refused.length - reasons.length;
  const message = [...reasons, ...(more > 0 ? [`and ${more} more`] : [])].join('. ');
  return refuse(uid, message);
};

/**
 * Returns the answer to a review, and refuses it if the images exceed the read limit. An error would admit the pod if
 * the webhook's `failurePolicy` is `Ignore`.
 */
const decide = async (
  uid: string,
  images: readonly string[],
  context: AdmissionContext,
): Promise<AdmissionAnswer> => {
  try {
    return await judgeImages(uid, images, context);
  } catch (error) {
    if (isTooMuchToRead(error)) return refuse(uid, error.message);
    throw error;
  }
};

/**
 * Returns the answer to a review of a pod or pod controller. It is admitted if all images of its containers and volumes
 * are approved, by tag or digest, or the organisation's own. A freeze refuses images that were approved after it. An
 * update may keep its old images: otherwise, users could change nothing else in it.
 */
export const admitPod = async (
  review: AdmissionReview,
  context: AdmissionContext,
): Promise<AdmissionAnswer> => {
  const { uid, object, oldObject } = review.request;
  if (object?.kind !== undefined && !workloadKinds.includes(object.kind)) {
    const strange = toOneLine(object.kind);
    return refuse(
      uid,
      `The containers of a ${strange} are unknown: review pods, or what makes them`,
    );
  }
  const before = oldObject ? listImages(oldObject) : new Set<string>();
  const images = object ? [...listImages(object)].filter((image) => !before.has(image)) : [];
  if (images.length > mostImages) {
    const message = `The review names ${images.length} images, of which at most ${mostImages} are checked at once: split the workload`;
    return refuse(uid, message);
  }
  return decide(uid, images, context);
};
