import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { isServerError, isThrottlingError, isTransientError } from '@smithy/core/retry';
import { RegistryError } from '../../domain/errors.ts';
import { createDeadline } from '../../util/deadline.ts';
import { exponentialDelay, retry } from '../../util/retry.ts';

/** The longest that one attempt may take, from the first byte sent to the last one read. */
const attemptMs = 3000;

/** How long a request without a deadline of its own is retried. */
const retryMs = 4000;

/** The delays of retries, with full jitter. */
export const storageRetries = {
  delayMs: exponentialDelay({ firstMs: 20, longestMs: 400 }),
  jitter: 1,
};

class AttemptTimeoutError extends Error {
  override readonly name = 'TimeoutError';
}

/** Sends something once. An answer that does not come in time, or begins and does not end, fails it. */
export const attemptOnce = async <T>(
  send: (options: { readonly abortSignal: AbortSignal }) => Promise<T>,
  longestMs: number = attemptMs,
): Promise<T> => {
  const ms = Math.max(1, Math.ceil(Math.min(attemptMs, longestMs)));
  const abortSignal = AbortSignal.timeout(ms);
  try {
    return await send({ abortSignal });
  } catch (error) {
    if (!abortSignal.aborted) throw error;
    throw new AttemptTimeoutError(`No complete answer in ${ms} ms`, { cause: error });
  }
};

/**
 * A failure that another attempt may not meet. `contention`: concurrent requests prevented the request, and nothing was
 * written. `unreached`: no connection was made. `unanswered`: the request may have been applied, but no answer came.
 */
export type RetryableFailure = 'contention' | 'unreached' | 'unanswered';

/** An error as the SDK's own rules take it. */
type SdkError = Parameters<typeof isTransientError>[0];

/** Codes of cancellations that leave a transaction as it was, and are over in a moment. */
const passingCodes = new Set([
  'TransactionConflict',
  'ThrottlingError',
  'ProvisionedThroughputExceeded',
]);

/** Network errors that come before anything was sent. */
const unreachedCodes = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

/** Returns the retryable failure that an error stands for; undefined if another attempt would fail as well. */
export const findRetryableFailure = (error: unknown): RetryableFailure | undefined => {
  if (!(error instanceof Error)) return undefined;
  if (error instanceof TransactionCanceledException) {
    const reasons = error.CancellationReasons ?? [];
    return reasons.some(({ Code }) => passingCodes.has(Code ?? '')) ? 'contention' : undefined;
  }
  const sdkError = error as SdkError;
  // An earlier attempt is still under way, and may succeed yet.
  if (error.name === 'TransactionInProgressException') return 'unanswered';
  if (error.name === 'TransactionConflictException' || isThrottlingError(sdkError))
    return 'contention';
  if ('code' in error && unreachedCodes.has(String(error.code))) return 'unreached';
  if (isTransientError(sdkError) || isServerError(sdkError)) return 'unanswered';
  // An answer that was cut short is no JSON.
  return '$response' in error && error instanceof SyntaxError ? 'unanswered' : undefined;
};

const refuseUnavailable = (failure: RetryableFailure | undefined): RegistryError =>
  new RegistryError(
    'storage_unavailable',
    failure === 'contention'
      ? 'The storage has too much to do at the moment. Try again.'
      : 'The storage did not answer. Try again.',
    { headers: { 'Retry-After': '1' } },
  );

/**
 * Sends a request that can be repeated without harm, such as a read. Retries it for 4 seconds.
 * @throws {RegistryError} `storage_unavailable` after that
 */
export const retryRead = <T>(
  send: (options: { readonly abortSignal: AbortSignal }) => Promise<T>,
): Promise<T> =>
  retry(() => attemptOnce(send), {
    ...storageRetries,
    deadline: createDeadline(retryMs),
    isRetryable: (error) => findRetryableFailure(error) !== undefined,
    toError: (errors, isOverdue) =>
      isOverdue ? refuseUnavailable(findRetryableFailure(errors.at(-1))) : errors.at(-1),
  });
