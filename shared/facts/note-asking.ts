import type { Deadline } from '../deadline.ts';
import type { PackageId } from '../domain/package-id.ts';
import { moveFactsDue } from '../store/reviews/facts-due.ts';
import { EvidenceMovedError, type Head, noteAsking } from '../store/reviews/heads.ts';
import { transact } from '../store/transact.ts';

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
