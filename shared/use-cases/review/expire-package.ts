import { expire } from '../../domain/review/expiry.ts';
import { type PackageItem, toDetail } from '../../storage/packages/package-item.ts';
import { VersionChangedError } from '../../storage/packages/write-version.ts';
import { readReviewState } from '../../storage/reviews/review-state.ts';
import { changeStatus, findNextMoment } from './change-status.ts';
import { asRegistry, type ReviewContext } from './review-context.ts';

type ExpiryContext = Pick<ReviewContext, 'now' | 'deadline' | 'catalogue'>;

/**
 * Sets a version with an expired approval back to pending, with its old sequence number.
 * @throws {VersionChangedError} if the version was decided concurrently, or is pending already
 */
export const expirePackage = async (
  current: PackageItem,
  context: ExpiryContext,
): Promise<void> => {
  const head = await readReviewState(current);
  await changeStatus(
    {
      current,
      head,
      detail: expire(toDetail(current)),
      at: findNextMoment(head, context.now),
      // The approval's reason belongs to the approval's own record.
      facts: { type: 'package.expired', by: null, reason: null },
      explain: () => new VersionChangedError(current),
    },
    asRegistry(context),
  );
};
