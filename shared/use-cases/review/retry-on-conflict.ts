import { SequenceNumberTakenError } from '../../storage/catalogue/writes.ts';
import { VersionChangedError } from '../../storage/packages/write-version.ts';
import { EvidenceChangedError } from '../../storage/reviews/review-state-writes.ts';
import { type RetryOptions, retry } from '../../util/retry.ts';

const hasMoved = (error: unknown): boolean =>
  error instanceof SequenceNumberTakenError ||
  error instanceof VersionChangedError ||
  error instanceof EvidenceChangedError;

/** Runs `act`, and retries it after an optimistic-lock conflict on the version: at most `attempts` times, if given. */
export const retryOnConflict = <T>(
  act: () => Promise<T>,
  options: Pick<RetryOptions, 'attempts'> = {},
): Promise<T> =>
  // Each conflict means that another writer made progress, so the retries end.
  retry(act, { ...options, isRetryable: hasMoved });
