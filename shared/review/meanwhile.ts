import { retry } from '../retry.ts';
import { renumberVersion } from '../store/catalogue/places.ts';
import { OrdinalTakenError } from '../store/catalogue/writes.ts';
import type { PackageItem } from '../store/packages/package-item.ts';
import { VersionChangedError } from '../store/packages/write-version.ts';
import { EvidenceMovedError } from '../store/reviews/heads.ts';
import { transact, type Witness } from '../store/transact.ts';
import type { Write } from '../store/write.ts';
import type { ReviewContext } from './review-context.ts';

const hasMoved = (error: unknown): boolean =>
  error instanceof OrdinalTakenError ||
  error instanceof VersionChangedError ||
  error instanceof EvidenceMovedError;

/** Does something with a version as it stands, and again where it has moved meanwhile. */
export const repeatWhileMoved = <T>(act: () => Promise<T>): Promise<T> =>
  retry(act, ({ error }) => {
    // Each time somebody else has come further, so this ends.
    if (hasMoved(error)) return 0;
    throw error;
  });

/**
 * Makes the change of a version.
 * @throws {OrdinalTakenError} where another version stood at its place: it has its own one then, and is to be read again
 */
export const transactChange = async (
  version: PackageItem,
  { writes, witness }: { readonly writes: readonly Write[]; readonly witness: Witness },
  context: Pick<ReviewContext, 'catalogue' | 'deadline'>,
): Promise<void> => {
  try {
    await transact(writes, context.deadline, witness);
  } catch (error) {
    // An audit would mend it. Nothing that is decided or due shall have to wait for one.
    if (error instanceof OrdinalTakenError) await renumberVersion(version, context);
    throw error;
  }
};
