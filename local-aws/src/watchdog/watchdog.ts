/**
 * Sees to it that no process outlives this one, even when this one is killed with no chance to clean up: a tiny
 * process of its own reads a pipe from here, and kills what it was told to guard once the pipe closes.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export interface Watchdog {
  /** From now until it exits by itself, the child dies with this process. */
  guard(child: ChildProcess): void;
  /** Lets the watchdog go. It kills what is still guarded. */
  close(): void;
}

const program = fileURLToPath(new URL('./watchdog-process.ts', import.meta.url));

export const startWatchdog = (): Watchdog => {
  // A process group of its own: Ctrl-C in a terminal reaches this process alone, which then ends the others in order.
  const watchdog = spawn(process.execPath, [program], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  watchdog.on('error', () => undefined);
  watchdog.stdin.on('error', () => undefined);
  watchdog.unref();
  return {
    guard: (child) => {
      if (child.pid === undefined) return;
      watchdog.stdin.write(`+${child.pid}\n`);
      child.once('exit', () => watchdog.stdin.writable && watchdog.stdin.write(`-${child.pid}\n`));
    },
    close: () => watchdog.stdin.end(),
  };
};
