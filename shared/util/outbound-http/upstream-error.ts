/** Error for a request to another service that failed or whose response is invalid. The message is for people. */
export class UpstreamError extends Error {
  override readonly name: string = 'UpstreamError';
}

/** Error for a request that another service refused with a status. */
export class RefusedRequestError extends UpstreamError {
  readonly status: number;

  constructor(reason: string, status: number) {
    super(reason);
    this.status = status;
  }
}

/**
 * Retryable failure of another service, of the connection or of time. `retryAfterMs` is the delay that the service
 * requests, if any.
 */
export class TransientError extends UpstreamError {
  readonly retryAfterMs: number | undefined;

  constructor(reason: string, retryAfterMs?: number) {
    super(reason);
    this.retryAfterMs = retryAfterMs;
  }
}

/** Error for a deadline that ended before the response. */
export class OutOfTimeError extends TransientError {
  constructor(who: string) {
    super(`There was no time left for a request to ${who}`);
  }
}

/** Returns the result of the work, or the UpstreamError that it throws. Other errors are rethrown. */
export const catchUpstreamError = async <T>(
  work: () => Promise<T> | T,
): Promise<T | UpstreamError> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof UpstreamError) return error;
    throw error;
  }
};

/**
 * Returns the result of the work, or the UpstreamError that it throws if it is permanent. Retryable failures are rethrown,
 * so that callers do not continue without data that may arrive later.
 */
export const catchPermanentFault = async <T>(
  work: () => Promise<T> | T,
): Promise<T | UpstreamError> => {
  const outcome = await catchUpstreamError(work);
  if (outcome instanceof TransientError) throw outcome;
  return outcome;
};

export const isSuccess = <T>(outcome: T | UpstreamError): outcome is T =>
  !(outcome instanceof UpstreamError);
