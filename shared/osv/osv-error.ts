/** OSV.dev could not be asked, or what it answered cannot be used. The message is a reason that people can read. */
export class OsvError extends Error {
  override readonly name: string = 'OsvError';
}

/**
 * A fault of OSV.dev, of the way there or of time, so that the same may succeed later. `retryAfterMs` is how long OSV.dev
 * asks to wait, where it does.
 */
export class PassingFaultError extends OsvError {
  readonly retryAfterMs: number | undefined;

  constructor(reason: string, retryAfterMs?: number) {
    super(reason);
    this.retryAfterMs = retryAfterMs;
  }
}

/** OSV.dev answers nobody, or nothing that makes sense: whatever is asked, its reason is this fault. */
export class OsvUnreachableError extends OsvError {
  constructor(fault: OsvError) {
    super(fault.message, { cause: fault });
  }
}

/** The time given to all of it ended before this answer came, or before it was asked for. */
export class OutOfTimeError extends PassingFaultError {
  constructor() {
    super('There was no time left to ask OSV.dev');
  }
}

/** What the work resolves to, or the OsvError that it throws. Other errors are thrown on. */
export const catchOsvError = async <T>(work: () => Promise<T> | T): Promise<T | OsvError> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof OsvError) return error;
    throw error;
  }
};

export const isSuccess = <T>(outcome: T | OsvError): outcome is T => !(outcome instanceof OsvError);
