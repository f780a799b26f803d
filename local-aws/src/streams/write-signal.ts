/** Tells readers of streams that there may be something to read, so that they need not look all the time. */
import { EventEmitter } from 'node:events';

export interface WriteSignal {
  /** How many writes there were. */
  count(): number;
  notify(): void;
  /** Resolves at the first write after the given count, after so many milliseconds, or when the signal aborts. */
  wait(count: number, milliseconds: number, signal: AbortSignal): Promise<void>;
}

export const createWriteSignal = (): WriteSignal => {
  const emitter = new EventEmitter().setMaxListeners(0);
  let writes = 0;
  return {
    count: () => writes,
    notify: () => {
      writes += 1;
      emitter.emit('write');
    },
    wait: (count, milliseconds, signal) =>
      new Promise((resolve) => {
        if (signal.aborted || writes !== count) return resolve();
        const end = (): void => {
          clearTimeout(timer);
          emitter.off('write', end);
          signal.removeEventListener('abort', end);
          resolve();
        };
        const timer = setTimeout(end, milliseconds).unref();
        emitter.on('write', end);
        signal.addEventListener('abort', end);
      }),
  };
};
