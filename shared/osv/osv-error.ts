/** OSV.dev could not be asked, or what it answered cannot be used. The message is a reason that people can read. */
export class OsvError extends Error {
  override readonly name = 'OsvError';
}

/** A fault that may pass: `retryAfterMs` is how long OSV.dev asks to wait, where it does. */
export class PassingFault extends OsvError {
  readonly retryAfterMs: number | undefined;

  constructor(reason: string, retryAfterMs?: number) {
    super(reason);
    this.retryAfterMs = retryAfterMs;
  }
}
