/** What was asked for came, and is not good enough for what a flag says. The message says why. */
export class JudgedError extends Error {
  override readonly name = 'JudgedError';
  /** What people may do about it, a line each. */
  readonly advice: readonly string[];

  constructor(message: string, advice: readonly string[] = []) {
    super(message);
    this.advice = advice;
  }
}
