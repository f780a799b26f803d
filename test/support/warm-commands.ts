import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { inject } from 'vitest';
import * as z from 'zod';
import type { Order } from './warm-command.ts';

const Ended = z.object({ code: z.number().nullable(), stdout: z.string(), stderr: z.string() });

/** The result of a command. */
export type Ended = z.infer<typeof Ended>;

/** The processes without a command. */
const idle: ChildProcess[] = [];

const startWarm = async (): Promise<ChildProcess> => {
  const child = fork(join(import.meta.dirname, 'warm-command.ts'), [inject('commandModule')], {
    // A command never writes to these streams: their output is an error of the tests.
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  await once(child, 'message');
  // This process must not keep the test process running.
  child.unref();
  child.channel?.unref();
  return child;
};

/** Runs a command in a process that has run other commands before. */
export const runWarm = async (order: Order): Promise<Ended> => {
  const child = idle.pop() ?? (await startWarm());
  child.channel?.ref();
  const died = new AbortController();
  const fail = (code: number | null): void => died.abort(new Error(`The command ended: ${code}`));
  child.once('exit', fail);
  const answered = once(child, 'message', { signal: died.signal });
  child.send(order);
  const [answer] = await answered;
  child.off('exit', fail);
  child.channel?.unref();
  idle.push(child);
  return Ended.parse(answer);
};
