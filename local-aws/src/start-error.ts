/** Reason why the stack cannot start or continue, in one line for the user. */
export class StartError extends Error {
  override name = 'StartError';
}
