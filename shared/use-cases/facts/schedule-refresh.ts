import type { PackageId } from '../../domain/packages/package-id.ts';
import { transact } from '../../storage/dynamodb/transact.ts';
import type { Write } from '../../storage/dynamodb/write.ts';
import { updateAlone } from '../../storage/dynamodb/write-alone.ts';
import type { ReviewState } from '../../storage/reviews/review-state.ts';
import {
  EvidenceChangedError,
  type RefreshFields,
  scheduleRefresh,
} from '../../storage/reviews/review-state-writes.ts';
import type { Deadline } from '../../util/deadline.ts';

/**
 * Saves the next refresh time of a version, and its fetch summary, without any other change of the evidence. `writes` belong
 * to the same transaction; without any, there is none.
 * @returns false if a concurrent change of the version won the optimistic lock
 */
export const tryToScheduleRefresh = async (
  id: PackageId,
  seen: ReviewState,
  fields: RefreshFields,
  { deadline, writes = [] }: { readonly deadline: Deadline; readonly writes?: readonly Write[] },
): Promise<boolean> => {
  const write = scheduleRefresh(id, seen, fields);
  try {
    await (writes.length === 0 ? updateAlone(write) : transact([write, ...writes], deadline));
    return true;
  } catch (error) {
    if (error instanceof EvidenceChangedError) return false;
    throw error;
  }
};
