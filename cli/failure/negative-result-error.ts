/** The command worked, and its result is negative: a package that is not allowed, or a refused item. It ends with 1. */
export class NegativeResultError extends Error {
  override readonly name = 'NegativeResultError';
  /** What to do next, one line each. */
  readonly advice: readonly string[];

  constructor(message: string, advice: readonly string[] = []) {
    super(message);
    this.advice = advice;
  }
}
