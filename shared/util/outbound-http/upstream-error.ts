/** Somebody else could not be asked, or what they answered cannot be used. The message is a reason that people can read. */
export class AskError extends Error {
  override readonly name: string = 'AskError';
}

/**
 * A fault of whom was asked, of the way there or of time, so that the same may succeed later. `retryAfterMs` is how long
 * they ask to wait, where they do.
 */
export class PassingFaultError extends AskError {
  readonly retryAfterMs: number | undefined;

  constructor(reason: string, retryAfterMs?: number) {
    super(reason);
    this.retryAfterMs = retryAfterMs;
  }
}

/** The time given to all of it ended before this answer came, or before it was asked for. */
export class OutOfTimeError extends PassingFaultError {
  constructor(who: string) {
    super(`There was no time left to ask ${who}`);
  }
}

/** What the work resolves to, or the AskError that it throws. Other errors are thrown on. */
export const catchAskError = async <T>(work: () => Promise<T> | T): Promise<T | AskError> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AskError) return error;
    throw error;
  }
};

/** The same for faults that will not pass: what may be there the next time is no reason to go on without it. */
export const catchLastingFault = async <T>(work: () => Promise<T> | T): Promise<T | AskError> => {
  const outcome = await catchAskError(work);
  if (outcome instanceof PassingFaultError) throw outcome;
  return outcome;
};

export const isSuccess = <T>(outcome: T | AskError): outcome is T => !(outcome instanceof AskError);
