import type { Deadline } from '../../util/deadline.ts';
import { transact } from '../dynamodb/transact.ts';
import type { PackageItem } from '../packages/package-item.ts';
import { takeSequenceNumber } from '../packages/submission-counter.ts';
import { formatSequenceNumber } from '../packages/version-keys.ts';
import { updateSequenceNumber, VersionChangedError } from '../packages/write-version.ts';
import { markVersion } from '../packs/pack-items.ts';
import type { CatalogueTarget } from './target.ts';
import { addToCatalogue, SequenceNumberTakenError } from './writes.ts';

interface PlacingContext {
  readonly catalogue: CatalogueTarget;
  readonly deadline: Deadline;
}

/**
 * Takes a sequence number for a version, and calls `place` to write it. After a restore, the counter may return numbers
 * that
 * are taken: then each further step is twice as large.
 */
export const takePosition = async (
  place: (sequence: number) => Promise<void>,
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
 * Assigns a new, last sequence number to a version whose number belongs to another version. Returns false if the
 * version
 * changed since it was read. The integrity check removes the rows at the old number.
 */
export const renumberVersion = async (
  version: PackageItem,
  { catalogue, deadline }: PlacingContext,
): Promise<boolean> => {
  try {
    await takePosition(
      (sequence) =>
        transact(
          () => [
            updateSequenceNumber(version, sequence),
            ...addToCatalogue(version, sequence, catalogue),
            ...(version.status === 'approved'
              ? markVersion(version, {
                  ...version,
                  sequence: formatSequenceNumber(sequence),
                })
              : []),
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
