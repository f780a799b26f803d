/** The command makes no sense as it was given. The message says what would. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
