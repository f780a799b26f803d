/**
 * Sees to it that no process outlives this one, even when this one is killed with no chance to clean up: a tiny
 * process of its own, one for all, reads a pipe from here, and kills what it was told to guard once the pipe closes.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('./watchdog-process.ts', import.meta.url));

/** The processes that are to end with this one. */
const guarded = new Set<number>();

let pipe: Socket | undefined;

/** Tells the watchdog of all that it is to guard, in case that it is not the first one. */
const startWatchdog = (): Socket => {
  // A process group of its own: Ctrl-C in a terminal reaches this process alone, which then ends the others in order.
  const watchdog = spawn(process.execPath, [program], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const started = watchdog.stdin as Socket;
  const forget = (): void => {
    if (pipe === started) pipe = undefined;
  };
  watchdog.on('error', forget).on('exit', forget);
  started.on('error', forget);
  // It is there for as long as this process, and is no reason to be there longer.
  watchdog.unref();
  started.unref();
  for (const pid of guarded) started.write(`+${pid}\n`);
  return started;
};

/** From now until it exits by itself, the child dies with this process. */
export const guardChild = (child: ChildProcess): void => {
  const { pid } = child;
  if (pid === undefined) return;
  pipe ??= startWatchdog();
  guarded.add(pid);
  pipe.write(`+${pid}\n`);
  child.once('exit', () => {
    guarded.delete(pid);
    pipe?.write(`-${pid}\n`);
  });
};
