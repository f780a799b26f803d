/**
 * Ends child processes with this process, even if this process is killed without cleanup. One small watchdog process
 * reads a pipe from this process, and kills all registered processes once the pipe closes.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { env as environment } from 'node:process';
import { fileURLToPath } from 'node:url';
import { compileCache } from '../compile-cache.ts';

const program = fileURLToPath(new URL('./watchdog-process.ts', import.meta.url));

/** Ids of the processes that must end with this process. */
const guarded = new Set<number>();

let pipe: Socket | undefined;

/** Starts a watchdog and registers all guarded processes, because it may replace an earlier watchdog. */
const startWatchdog = (): Socket => {
  // In its own process group, the watchdog does not receive Ctrl-C. This process can then end its children in order.
  const watchdog = spawn(process.execPath, [program], {
    detached: true,
    env: { ...environment, ...compileCache },
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const started = watchdog.stdin as Socket;
  const forget = (): void => {
    if (pipe === started) pipe = undefined;
  };
  watchdog.on('error', forget).on('exit', forget);
  started.on('error', forget);
  // The watchdog must not keep this process alive.
  watchdog.unref();
  started.unref();
  for (const pid of guarded) started.write(`+${pid}\n`);
  return started;
};

/** Registers a child process, which is then killed when this process ends. */
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
