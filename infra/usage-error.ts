/** The error for wrong usage. The message says what is right. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
