/** The time of a run is over, and its work is not done. Lambda repeats an asynchronous invocation that fails, and the next run continues. */
export class UnfinishedRunError extends Error {
  override readonly name = 'UnfinishedRunError';
}
