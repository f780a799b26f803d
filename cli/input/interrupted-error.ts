/** The user ended the command with Ctrl-C. The command has written its last message already. */
export class InterruptedError extends Error {
  override readonly name = 'InterruptedError';
}
