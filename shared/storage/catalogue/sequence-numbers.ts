import type { Deadline } from '../../util/deadline.ts';
import { transact } from '../dynamodb/transact.ts';
import type { PackageItem } from '../packages/package-item.ts';
import { takeSequenceNumber } from '../packages/submission-counter.ts';
import { updateSequenceNumber, VersionChangedError } from '../packages/write-version.ts';
import type { CatalogueTarget } from './target.ts';
import { addToCatalogue, SequenceNumberTakenError } from './writes.ts';

interface PlacingContext {
  readonly catalogue: CatalogueTarget;
  readonly deadline: Deadline;
}

/**
 * Draws a place in the order of submissions for a version and makes the writes that put it there. Where the counter of
 * ordinals was set back, places are taken: each further one that is drawn lies twice as far ahead.
 */
export const takePosition = async (
  place: (ordinal: number) => Promise<void>,
  deadline: Deadline,
): Promise<void> => {
  for (let step = 1; ; step *= 2) {
    try {
      await place(await takeSequenceNumber(deadline, step));
      return;
    } catch (error) {
      if (!(error instanceof SequenceNumberTakenError)) throw error;
    }
  }
};

/**
 * Gives a version whose ordinal belongs to another one its own place, after all others; false if it changed since it was
 * read. The integrity check finds what it leaves behind at its old place.
 */
export const renumberVersion = async (
  version: PackageItem,
  { catalogue, deadline }: PlacingContext,
): Promise<boolean> => {
  try {
    await takePosition(
      (ordinal) =>
        transact(
          () => [
            updateSequenceNumber(version, ordinal),
            ...addToCatalogue(version, ordinal, catalogue),
          ],
          deadline,
        ),
      deadline,
    );
    return true;
  } catch (error) {
    if (error instanceof VersionChangedError) return false;
    throw error;
  }
};
