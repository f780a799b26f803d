/** Timers that do not keep the process alive. */

/** Resolves after `milliseconds`. Rejects with the signal's reason as soon as the signal aborts. */
export const wait = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', abort);
      resolve();
    }, milliseconds).unref();
    signal.addEventListener('abort', abort, { once: true });
  });
