import { SequenceNumberTakenError } from '../../storage/catalogue/writes.ts';
import { VersionChangedError } from '../../storage/packages/write-version.ts';
import { EvidenceChangedError } from '../../storage/reviews/review-state.ts';
import { retry } from '../../util/retry.ts';

const hasMoved = (error: unknown): boolean =>
  error instanceof SequenceNumberTakenError ||
  error instanceof VersionChangedError ||
  error instanceof EvidenceChangedError;

/** Does something with a version as it stands, and again where it has moved meanwhile. */
export const retryOnConflict = <T>(act: () => Promise<T>): Promise<T> =>
  // Each time another writer has made progress, so the retries end.
  retry(act, { isRetryable: hasMoved });
