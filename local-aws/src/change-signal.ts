/** Wakes readers of streams and queues after a change, so that the readers need not poll constantly. */
import { EventEmitter } from 'node:events';

export interface ChangeSignal {
  /** Returns the number of changes so far. */
  count(): number;
  notify(): void;
  /** Resolves once the number of changes differs from `count`, after `milliseconds`, or when the signal aborts. */
  wait(count: number, milliseconds: number, signal: AbortSignal): Promise<void>;
}

export const createChangeSignal = (): ChangeSignal => {
  const emitter = new EventEmitter().setMaxListeners(0);
  let changes = 0;
  return {
    count: () => changes,
    notify: () => {
      changes += 1;
      emitter.emit('change');
    },
    wait: (count, milliseconds, signal) =>
      new Promise((resolve) => {
        if (signal.aborted || changes !== count) return resolve();
        const end = (): void => {
          clearTimeout(timer);
          emitter.off('change', end);
          signal.removeEventListener('abort', end);
          resolve();
        };
        const timer = setTimeout(end, milliseconds).unref();
        emitter.on('change', end);
        signal.addEventListener('abort', end);
      }),
  };
};
