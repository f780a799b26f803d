import type { PackageId } from '../../domain/packages/package-id.ts';
import { transact } from '../../storage/dynamodb/transact.ts';
import type { Write } from '../../storage/dynamodb/write.ts';
import { moveFactsDue } from '../../storage/reviews/facts-due.ts';
import {
  EvidenceChangedError,
  type ReviewState,
  scheduleRefresh,
} from '../../storage/reviews/review-state.ts';
import type { Deadline } from '../../util/deadline.ts';

/**
 * Saves the next refresh time of a version, and its fetch summary, without any other change of the evidence. `writes` belong
 * to the same transaction.
 * @returns false if a concurrent change of the version won the optimistic lock
 */
export const tryToScheduleRefresh = async (
  id: PackageId,
  seen: ReviewState,
  fields: Pick<ReviewState, 'refresh_at'> &
    Partial<Pick<ReviewState, 'facts' | 'refresh_failures'>>,
  { deadline, writes = [] }: { readonly deadline: Deadline; readonly writes?: readonly Write[] },
): Promise<boolean> => {
  try {
    await transact(
      [
        scheduleRefresh(id, seen, fields),
        ...moveFactsDue(id, seen.refresh_at, fields.refresh_at),
        ...writes,
      ],
      deadline,
    );
    return true;
  } catch (error) {
    if (error instanceof EvidenceChangedError) return false;
    throw error;
  }
};
