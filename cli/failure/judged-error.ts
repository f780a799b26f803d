/** What was asked for came, and is not good enough for what a flag says. The message says why. */
export class JudgedError extends Error {
  override readonly name = 'JudgedError';
}
