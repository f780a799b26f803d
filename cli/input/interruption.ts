import { InterruptedError } from './interrupted-error.ts';

/**
 * Runs work whose signal Ctrl-C aborts, so that the command can say what was done. A second Ctrl-C ends the process.
 * @throws {InterruptedError} after Ctrl-C, unless the work was finished
 */
export const withInterruption = async <T>(
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> => {
  const stopping = new AbortController();
  const stop = (): void => stopping.abort();
  process.once('SIGINT', stop);
  try {
    return await work(stopping.signal);
  } catch (error) {
    throw stopping.signal.aborted ? new InterruptedError() : error;
  } finally {
    process.off('SIGINT', stop);
  }
};
