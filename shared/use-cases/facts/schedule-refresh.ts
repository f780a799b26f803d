import type { PackageId } from '../../domain/packages/package-id.ts';
import { transact } from '../../storage/dynamodb/transact.ts';
import { moveFactsDue } from '../../storage/reviews/facts-due.ts';
import { EvidenceMovedError, type Head, noteAsking } from '../../storage/reviews/review-state.ts';
import type { Deadline } from '../../util/deadline.ts';

/**
 * Notes when the origin of a version is asked next, and what is known of it then, where nothing else follows.
 * @returns whether it was noted: not where somebody who asks at the same moment came first
 */
export const tryToNoteAsking = async (
  id: PackageId,
  seen: Head,
  fields: Pick<Head, 'asks_at'> & Partial<Pick<Head, 'facts' | 'asking_failures'>>,
  deadline: Deadline,
): Promise<boolean> => {
  try {
    await transact(
      [noteAsking(id, seen, fields), ...moveFactsDue(id, seen.asks_at, fields.asks_at)],
      deadline,
    );
    return true;
  } catch (error) {
    if (error instanceof EvidenceMovedError) return false;
    throw error;
  }
};
