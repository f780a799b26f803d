/** The command is wrong as it was typed. The message says what is right. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
