/** Error for a request to another service that failed or whose response is invalid. The message is for people. */
export class AskError extends Error {
  override readonly name: string = 'AskError';
}

/**
 * Retryable failure of another service, of the connection or of time. `retryAfterMs` is the delay that the service
 * requests, if any.
 */
export class PassingFaultError extends AskError {
  readonly retryAfterMs: number | undefined;

  constructor(reason: string, retryAfterMs?: number) {
    super(reason);
    this.retryAfterMs = retryAfterMs;
  }
}

/** Error for a deadline that ended before the response. */
export class OutOfTimeError extends PassingFaultError {
  constructor(who: string) {
    super(`There was no time left to ask ${who}`);
  }
}

/** Returns the result of the work, or the AskError that it throws. Other errors are rethrown. */
export const catchAskError = async <T>(work: () => Promise<T> | T): Promise<T | AskError> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AskError) return error;
    throw error;
  }
};

/**
 * Returns the result of the work, or the AskError that it throws if it is permanent. Retryable failures are rethrown,
 * so that callers do not continue without data that may arrive later.
 */
export const catchLastingFault = async <T>(work: () => Promise<T> | T): Promise<T | AskError> => {
  const outcome = await catchAskError(work);
  if (outcome instanceof PassingFaultError) throw outcome;
  return outcome;
};

export const isSuccess = <T>(outcome: T | AskError): outcome is T => !(outcome instanceof AskError);
