import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { isServerError, isThrottlingError, isTransientError } from '@smithy/core/retry';
import { RegistryError } from '../../domain/errors.ts';
import { createDeadline, type Deadline } from '../../util/deadline.ts';
import { exponentialDelay, retry } from '../../util/retry.ts';

/** Longest duration of one attempt in milliseconds, from the first byte sent to the last byte read. */
const attemptMs = 3000;

/** Milliseconds for which a request without its own deadline is retried. */
const retryMs = 4000;

/** The delays of retries, with full jitter. */
export const storageRetries = {
  delayMs: exponentialDelay({ firstMs: 20, longestMs: 400 }),
  jitter: 1,
};

class AttemptTimeoutError extends Error {
  override readonly name = 'TimeoutError';
}

/**
 * Calls `send` once. Throws a timeout error if the complete answer does not arrive in `longestMs`, at most 3 seconds.
 */
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
 * Kind of a failure after which a retry may succeed.
 * `contention`: concurrent requests prevented the request, and nothing was written. `unreached`: no connection was
 * made.
 * `unanswered`: the request may have been applied, but no answer came.
 */
export type RetryableFailure = 'contention' | 'unreached' | 'unanswered';

/** Error type that the SDK's retry rules accept. */
type SdkError = Parameters<typeof isTransientError>[0];

/** Cancellation codes of transactions that wrote nothing and may succeed on a retry. */
const passingCodes = new Set([
  'TransactionConflict',
  'ThrottlingError',
  'ProvisionedThroughputExceeded',
]);

/** Codes of network errors that occur before anything is sent. */
const unreachedCodes = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

/** Returns the kind of retryable failure of an error; undefined if a retry would fail as well. */
export const findRetryableFailure = (error: unknown): RetryableFailure | undefined => {
  if (!(error instanceof Error)) return undefined;
  if (error instanceof TransactionCanceledException) {
    const reasons = error.CancellationReasons ?? [];
    return reasons.some(({ Code }) => passingCodes.has(Code ?? '')) ? 'contention' : undefined;
  }
  const sdkError = error as SdkError;
  // An earlier attempt is still in progress and may succeed.
  if (error.name === 'TransactionInProgressException') return 'unanswered';
  if (error.name === 'TransactionConflictException' || isThrottlingError(sdkError))
    return 'contention';
  if ('code' in error && unreachedCodes.has(String(error.code))) return 'unreached';
  if (isTransientError(sdkError) || isServerError(sdkError)) return 'unanswered';
  // A truncated answer is not valid JSON.
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

/** Error of a batch of which DynamoDB left a part undone. It has the name of a throttled request, which it is in part. */
export class UnprocessedItemsError extends Error {
  override readonly name = 'ThrottlingException';
}

/**
 * Sends an idempotent request, such as a read. Retries it until the deadline, 4 seconds by default.
 * @throws {RegistryError} `storage_unavailable` at the deadline
 */
export const retryRead = <T>(
  send: (options: { readonly abortSignal: AbortSignal }) => Promise<T>,
  deadline?: Deadline,
): Promise<T> =>
  retry(() => attemptOnce(send, deadline?.remainingMs()), {
    ...storageRetries,
    deadline: deadline ?? createDeadline(retryMs),
    isRetryable: (error) => findRetryableFailure(error) !== undefined,
    toError: (errors, isOverdue) =>
      isOverdue ? refuseUnavailable(findRetryableFailure(errors.at(-1))) : errors.at(-1),
  });
