import {
  type AdmissionAnswer,
  type AdmissionReview,
  maxReviewBytes,
} from '../../../api/schemas/admission.ts';
import { type PackageId, toVersionKey } from '../../../domain/packages/package-id.ts';
import { isPackageName } from '../../../domain/packages/package-name.ts';
import { isPackageVersion } from '../../../domain/packages/package-version.ts';
import { statusAt } from '../../../domain/review/expiry.ts';
import { isTooMuchToRead } from '../../../storage/dynamodb/read-budget.ts';
import { findReviewStates } from '../../../storage/reviews/review-state.ts';
import { refuseVersion, toOneLine } from '../../gate/refusal.ts';
import { readImageReference } from '../image-reference.ts';

type Workload = NonNullable<AdmissionReview['request']['object']>;
type PodSpec = Pick<
  NonNullable<Workload['spec']>,
  'containers' | 'initContainers' | 'ephemeralContainers' | 'volumes'
>;

/** Pods, and what makes pods: in these can be told what will run. */
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

/** As many images are told of as a person reads. */
const mostTold = 5;

/** How many images of one review are judged: no pod that people write has as many. */
const mostImages = 200;

const answered = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview' } as const;

/** What a version of an image is told as where it cannot be one. */
type Reading = { readonly image: string; readonly id: PackageId | undefined };

const readImage = (image: string): Reading => {
  const { name, version } = readImageReference(image);
  // A runtime would not take it, and nobody can say what another one makes of it.
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

/** In the order in which the API server writes a review: nothing that others wrote comes before. */
const reviewUid = /^[^{]*\{[^{]*"request"\s*:\s*\{\s*"uid"\s*:\s*"([\w-]{1,100})"/;

/**
 * Refuses a review that is too large to be read. An error would let the pod in where the webhook ignores failures.
 * @param beginning of the review
 * @returns undefined where the beginning does not say which review it is
 */
export const refuseLargeReview = (beginning: string): AdmissionAnswer | undefined => {
  const [, uid] = reviewUid.exec(beginning) ?? [];
  if (uid === undefined) return undefined;
  const message = `The review is larger than ${maxReviewBytes} bytes, so nothing in it was checked: make the workload smaller, or move data to a ConfigMap`;
  return refuse(uid, message);
};

interface Judged {
  readonly refused: readonly Reading[];
  /** Those that are approved, and need attention. */
  readonly doubtful: readonly Reading[];
}

/** Judges images as they stand at a moment: one read for 100 of them. */
const judge = async (images: readonly Reading[], now: Date): Promise<Judged> => {
  const ids = images.flatMap(({ id }) => id ?? []);
  const heads = await findReviewStates(ids, { eventual: true });
  const find = ({ id }: Reading) => id && heads.get(toVersionKey(id));
  const isApproved = (one: Reading): boolean => {
    const head = find(one);
    return head !== undefined && statusAt(head, now) === 'approved';
  };
  return {
    refused: images.filter((one) => !isApproved(one)),
    doubtful: images.filter((one) => isApproved(one) && typeof find(one)?.attention === 'string'),
  };
};

const longestWarning = 120;

/** In as many characters as the API server passes on whole. */
const warn = ({ image }: Reading): string => {
  const why = ' is approved, but something speaks against it now';
  const room = longestWarning - why.length;
  return `${image.length > room ? `${image.slice(0, room - 3)}...` : image}${why}`;
};

const explain = async ({ image, id }: Reading, now: Date): Promise<string> =>
  id ? (await refuseVersion(id, now)).message : `${toOneLine(image)} is no image that can be`;

/** Admits a pod if all of these images are approved. */
const judgeImages = async (
  uid: string,
  images: readonly string[],
  now: Date,
): Promise<AdmissionAnswer> => {
  const { refused, doubtful } = await judge(images.map(readImage), now);
  if (refused.length === 0) {
    const warnings = doubtful.slice(0, mostTold).map(warn);
    const said = warnings.length > 0 ? { warnings } : {};
    return { ...answered, response: { uid, allowed: true, ...said } };
  }
  const told = await Promise.all(refused.slice(0, mostTold).map((one) => explain(one, now)));
  const more = refused.length - told.length;
  const message = [...told, ...(more > 0 ? [`and ${more} more`] : [])].join('. ');
  return refuse(uid, message);
};

/** Decides on images. What cannot be read is refused: an error lets the pod in where the webhook ignores failures. */
const decide = async (
  uid: string,
  images: readonly string[],
  now: Date,
): Promise<AdmissionAnswer> => {
  try {
    return await judgeImages(uid, images, now);
  } catch (error) {
    if (isTooMuchToRead(error)) return refuse(uid, error.message);
    throw error;
  }
};

/**
 * Says whether a pod may run, or what makes pods: all images of all its containers are approved, by their tags or
 * digests. What runs already may keep the images that it has, or nobody could change anything else of it.
 */
export const admitPod = async (review: AdmissionReview, now: Date): Promise<AdmissionAnswer> => {
  const { uid, object, oldObject } = review.request;
  if (object?.kind !== undefined && !workloadKinds.includes(object.kind)) {
    const strange = toOneLine(object.kind);
    return refuse(
      uid,
      `What runs in a ${strange} cannot be told: ask about pods, or what makes them`,
    );
  }
  const before = oldObject ? listImages(oldObject) : new Set<string>();
  const images = object ? [...listImages(object)].filter((image) => !before.has(image)) : [];
  if (images.length > mostImages) {
    const message = `The review names ${images.length} images, of which at most ${mostImages} are checked at once: split the workload`;
    return refuse(uid, message);
  }
  return decide(uid, images, now);
};
