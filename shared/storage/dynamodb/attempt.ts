import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { isServerError, isThrottlingError, isTransientError } from '@smithy/core/retry';
import { RegistryError } from '../../domain/errors.ts';
import { longestPauseMs, retry } from '../../util/retry.ts';

/** The longest that one attempt may take, from the first byte sent to the last one read. */
const attemptMs = 3000;

/** The longest that attempts go on which no deadline ends. */
const patienceMs = 4000;

/** The pauses between attempts, of which each waits a random part. */
export const pauses = { firstMs: 20, longestMs: 400 };

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
 * What another attempt may not meet. `contention`: others were at work, or too many, and nothing was done.
 * `unreached`: nobody was there to do anything. `unanswered`: whether it was done was not said.
 */
export type Setback = 'contention' | 'unreached' | 'unanswered';

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

/** Tells why something failed that may succeed at another attempt; undefined where it would fail again. */
export const findSetback = (error: unknown): Setback | undefined => {
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

const refuseUnavailable = (setback: Setback): RegistryError =>
  new RegistryError(
    'storage_unavailable',
    setback === 'contention'
      ? 'The storage has too much to do at the moment. Try again.'
      : 'The storage did not answer. Try again.',
    { headers: { 'Retry-After': '1' } },
  );

/**
 * Sends what may be repeated without harm, such as a read: again after a setback, for some seconds.
 * @throws {RegistryError} `storage_unavailable` when they are over
 */
export const attemptPatiently = <T>(
  send: (options: { readonly abortSignal: AbortSignal }) => Promise<T>,
): Promise<T> => {
  const end = performance.now() + patienceMs;
  return retry(
    () => attemptOnce(send),
    ({ error, earlier }) => {
      const setback = findSetback(error);
      if (!setback) throw error;
      const longest = longestPauseMs(earlier, pauses);
      if (performance.now() + longest > end) throw refuseUnavailable(setback);
      return Math.random() * longest;
    },
  );
};
