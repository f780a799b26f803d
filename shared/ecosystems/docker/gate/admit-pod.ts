import type { AdmissionAnswer, AdmissionReview } from '../../../api/schemas/admission.ts';
import { formatPackage } from '../../../domain/packages/format-package.ts';
import type { PackageId } from '../../../domain/packages/package-id.ts';
import { formatSubmitCommand } from '../../../domain/packages/submit-command.ts';
import { type GateMoment, refuseVersion, toOneLine } from '../../gate/refusal.ts';
import { addDigest } from '../image-reference.ts';
import { answered, answerReview, refuseReview } from './admission-review.ts';
import { type DecidedImage, decideImages, type ImageContext } from './decide-images.ts';
import { isControllerKind } from './workload-images.ts';

type RefusedImage = Exclude<DecidedImage, { readonly state: 'allowed' }>;

/** Limit of images listed in one message, so that a person can read it. */
const maxListedImages = 5;

const longestWarning = 120;

/** Returns the warning for an approved image, in at most 120 characters. The API server may cut longer warnings. */
const warn = ({ image }: DecidedImage): string => {
  const why = ' is approved, but has new issues';
  const room = longestWarning - why.length;
  return `${image.length > room ? `${image.slice(0, room - 3)}...` : image}${why}`;
};

const explainUnpinned = ({
  image,
  id,
  digest,
  hasMetadata,
}: DecidedImage & { readonly state: 'unpinned' }): string => {
  const approved = `${formatPackage(id)} is approved, but a tag can name another image by now`;
  if (digest !== undefined) {
    return `${approved}. Its approval pinned ${digest}: write ${addDigest(image, digest)}, or install the mutating webhook of docs/kubernetes.md, which writes it`;
  }
  if (hasMetadata) {
    const confirm = `registry approve ${formatPackage(id)} --keep --reason "REASON"`;
    return `${approved}, and its approval pinned no digest: it came before the upstream metadata. To pin the present image, review it and confirm the approval: ${confirm}`;
  }
  const submit = formatSubmitCommand({ ...id, version: 'sha256:DIGEST' });
  return `${approved}, and its approval pinned no digest: the registry has no upstream metadata of it. Submit the digest itself: ${submit}`;
};

const explainOther = (
  image: string,
  { id, tag, pinned }: DecidedImage & { readonly state: 'other-digest' },
): string => {
  const approved = formatPackage({ ...id, version: tag });
  const says = `The pod has ${id.version} for ${approved}, whose approval pinned ${pinned ?? 'other digests'}`;
  const write =
    pinned === undefined
      ? ''
      : `write ${image.replace(id.version, pinned)} for the approved image, or `;
  return `${says}: ${write}submit this one for review: ${formatSubmitCommand(id)}`;
};

const explainRefused = async (id: PackageId, moment: GateMoment): Promise<string> => {
  const { message, parts } = await refuseVersion(id, moment);
  return parts.submittable ? `${message}; ask: ${formatSubmitCommand(parts.submittable)}` : message;
};

const explain = async (one: RefusedImage, moment: GateMoment): Promise<string> => {
  switch (one.state) {
    case 'refused':
      return explainRefused(one.id, moment);
    case 'unpinned':
      return explainUnpinned(one);
    case 'other-digest':
      return explainOther(one.image, one);
    case 'invalid':
      return `"${toOneLine(one.image)}" is no image reference that the registry reads: write NAME:TAG@sha256:DIGEST`;
  }
};

/**
 * Returns the answer to a review of a pod or pod controller. It is admitted if all images of its containers and volumes
 * are approved, by their digests, or the organisation's own. A controller may have an approved tag whose digest is known:
 * its pods are reviewed themselves. A freeze refuses images that were approved after it.
 */
export const admitPod = (
  review: AdmissionReview,
  context: ImageContext & Omit<GateMoment, 'freeze'>,
): Promise<AdmissionAnswer> =>
  answerReview(review, async ({ uid, kind, images }) => {
    const { decided, freeze } = await decideImages(images, context);
    const isRefused = (one: DecidedImage): one is RefusedImage =>
      one.state === 'unpinned'
        ? one.digest === undefined || !isControllerKind(kind)
        : one.state !== 'allowed';
    const refused = decided.filter(isRefused);
    if (refused.length === 0) {
      const doubtful = decided.filter((one) => 'hasIssues' in one && one.hasIssues);
      const warnings = doubtful.slice(0, maxListedImages).map(warn);
      return {
        ...answered,
        response: { uid, allowed: true, ...(warnings.length > 0 && { warnings }) },
      };
    }
    const reasons = await Promise.all(
      refused.slice(0, maxListedImages).map((one) => explain(one, { ...context, freeze })),
    );
    const more = refused.length - reasons.length;
    return refuseReview(uid, [...reasons, ...(more > 0 ? [`and ${more} more`] : [])].join('. '));
  });
