import { expire } from '../../domain/review/expiry.ts';
import { anonymous } from '../../domain/tokens/actor.ts';
import { type PackageItem, toDetail } from '../../storage/packages/package-item.ts';
import { VersionChangedError } from '../../storage/packages/write-version.ts';
import { readReviewState } from '../../storage/reviews/review-state.ts';
import { changeStatus, findNextMoment } from './change-status.ts';
import type { ReviewContext } from './review-context.ts';

type ExpiryContext = Pick<ReviewContext, 'now' | 'deadline' | 'catalogue'>;

/**
 * Returns a version whose approval has run out to pending, at its old place.
 * @throws {VersionChangedError} where it was decided meanwhile, or has returned already
 */
export const expirePackage = async (
  current: PackageItem,
  { now, deadline, catalogue }: ExpiryContext,
): Promise<void> => {
  const head = await readReviewState(current);
  await changeStatus(
    {
      current,
      head,
      detail: expire(toDetail(current)),
      at: findNextMoment(head, now),
      // The approval's reason stays with what it was given for.
      facts: { type: 'package.expired', by: null, reason: null },
      explain: () => new VersionChangedError(current),
    },
    { actor: anonymous, now, deadline, catalogue, remember: () => [] },
  );
};
