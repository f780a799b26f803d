/** The person at the terminal ended the command by Ctrl-C, and has been told all that there is to tell. */
export class InterruptedError extends Error {
  override readonly name = 'InterruptedError';
}
