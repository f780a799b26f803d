import {
  type AdmissionAnswer,
  type AdmissionReview,
  maxReviewBytes,
} from '../../../api/schemas/admission.ts';
import { isTooMuchToRead } from '../../../storage/dynamodb/read-budget.ts';
import { toOneLine } from '../../gate/refusal.ts';
import {
  isControllerKind,
  isWorkloadKind,
  listWorkloadImages,
  type PlacedImage,
} from './workload-images.ts';

/** Limit of different images in one review. Real pods have fewer. */
const mostImages = 200;

/** Limit of containers and volumes with an image: an answer names each one that it changes. */
const mostPlaces = 1000;

/** Fields of each answer to a review. */
export const answered = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview' } as const;

/** Returns the answer that refuses a review. */
export const refuseReview = (uid: string, message: string): AdmissionAnswer => ({
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
  return refuseReview(uid, message);
};

/**
 * Returns the images that a review adds. An update may keep its old images: otherwise, users could change nothing else in it.
 * A controller may move them to another place. In a pod, only a new container has an old image in another place, and it would
 * pull that image again.
 */
const listNewImages = ({ object, oldObject }: AdmissionReview['request']): PlacedImage[] => {
  if (!object) return [];
  const toKey = ({ image, path }: PlacedImage): string =>
    isControllerKind(object.kind) ? image : `${path} ${image}`;
  const before = new Set(oldObject ? listWorkloadImages(oldObject).map(toKey) : []);
  return listWorkloadImages(object).filter((one) => !before.has(toKey(one)));
};

const explainExcess = (images: ReadonlySet<string>, places: number): string | undefined => {
  if (images.size > mostImages) {
    return `The review names ${images.size} images, of which at most ${mostImages} are checked at once: split the workload`;
  }
  return places > mostPlaces
    ? `The review has ${places} containers and volumes with an image, of which at most ${mostPlaces} are checked at once: split the workload`
    : undefined;
};

/** What a review asks about. */
export interface ReviewedWorkload {
  readonly uid: string;
  readonly kind: string | undefined;
  /** Different images, as written. */
  readonly images: readonly string[];
  /** All containers and volumes with one of these images. */
  readonly places: readonly PlacedImage[];
}

/**
 * Answers a review by its new images, and refuses one of another kind or with too many images before any read. Also
 * refuses it if the images exceed the read limit: an error would admit the pod if the webhook's `failurePolicy` is `Ignore`.
 */
export const answerReview = async (
  { request }: AdmissionReview,
  answer: (workload: ReviewedWorkload) => Promise<AdmissionAnswer>,
): Promise<AdmissionAnswer> => {
  const { uid, object } = request;
  const kind = object?.kind;
  if (kind !== undefined && !isWorkloadKind(kind)) {
    const message = `The registry does not know where a ${toOneLine(kind)} has its images: remove this kind from the rules of the webhook, which reviews its pods`;
    return refuseReview(uid, message);
  }
  const places = listNewImages(request);
  const images = new Set(places.map(({ image }) => image));
  const excess = explainExcess(images, places.length);
  if (excess !== undefined) return refuseReview(uid, excess);
  try {
    return await answer({ uid, kind, images: [...images], places });
  } catch (error) {
    if (isTooMuchToRead(error)) return refuseReview(uid, error.message);
    throw error;
  }
};
