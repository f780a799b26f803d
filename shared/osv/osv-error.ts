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

/** OSV.dev could not be asked about any version of a batch. */
export class OsvUnreachableError extends PassingFaultError {}

/** OSV.dev refuses the request as it is: among many questions, one of them may be why. */
export class OsvRefusalError extends OsvError {}

/** The time given to all of it ended before this answer came, or before it was asked for. */
export class OutOfTimeError extends PassingFaultError {
  constructor() {
    super('There was no time left to ask OSV.dev');
  }
}
