/** Why the stack cannot start or go on: one line for whoever starts it. */
export class StartError extends Error {
  override name = 'StartError';
}
