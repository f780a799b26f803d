import { type Deadline, transact, type Write } from '../../transact.ts';

class ChangedError extends Error {
  override readonly name = 'ChangedError';
}

const refuse = (): Error => new ChangedError('What the audit had read has changed');

/** Writes all or nothing. False if a condition failed, since a writer was faster: then there is nothing to mend, or another thing. */
export const transactUnlessChanged = async (
  operations: readonly Write['operation'][],
  deadline: Deadline,
): Promise<boolean> => {
  try {
    await transact(
      operations.map((operation) => ({ operation, refuse })),
      deadline,
    );
    return true;
  } catch (error) {
    if (error instanceof ChangedError) return false;
    throw error;
  }
};
