import type { Deadline } from '../../util/deadline.ts';
import { transact } from '../dynamodb/transact.ts';
import type { Write } from '../dynamodb/write.ts';

class ChangedError extends Error {
  override readonly name = 'ChangedError';
}

const refuse = (): Error => new ChangedError('The items of this check changed');

/** Writes all or nothing. False if a condition failed, since a writer was faster: then there is nothing to mend, or another thing. */
export const transactUnlessChanged = async (
  writes: readonly Write[],
  deadline: Deadline,
): Promise<boolean> => {
  try {
    await transact(
      writes.map(({ operation }) => ({ operation, refuse })),
      deadline,
    );
    return true;
  } catch (error) {
    if (error instanceof ChangedError) return false;
    throw error;
  }
};
