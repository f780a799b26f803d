import type { AdmissionAnswer, AdmissionReview } from '../../../api/schemas/admission.ts';
import { addDigest } from '../image-reference.ts';
import { answered, answerReview } from './admission-review.ts';
import { decideImages, type ImageContext } from './decide-images.ts';

/** Returns the JSON Patch (RFC 6902) that replaces values, as the API server expects it: in base64. */
const encodePatch = (replaced: readonly { readonly path: string; readonly value: string }[]) =>
  Buffer.from(JSON.stringify(replaced.map((one) => ({ op: 'replace', ...one })))).toString(
    'base64',
  );

/**
 * Returns the answer to a review of a pod or pod controller that adds the digest to each approved tag without one: the
 * digest that the approval pinned. All other images stay as written. The answer refuses no image, because `admitPod`
 * does that, except that it refuses the reviews which `admitPod` refuses unread.
 */
export const pinImages = (
  review: AdmissionReview,
  context: ImageContext,
): Promise<AdmissionAnswer> =>
  answerReview(review, async ({ uid, images, places }) => {
    const { decided } = await decideImages(images, context);
    const pinned = new Map(
      decided.flatMap((one) =>
        one.state === 'unpinned' && one.digest !== undefined
          ? [[one.image, addDigest(one.image, one.digest)] as const]
          : [],
      ),
    );
    const replaced = places.flatMap(({ image, path }) => {
      const value = pinned.get(image);
      return value === undefined ? [] : [{ path, value }];
    });
    if (replaced.length === 0) return { ...answered, response: { uid, allowed: true } };
    const patch = encodePatch(replaced);
    return { ...answered, response: { uid, allowed: true, patchType: 'JSONPatch', patch } };
  });
