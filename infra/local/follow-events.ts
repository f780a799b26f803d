/** Prints new events, with the program `events/follow.ts`, which reads the registry's table of events. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { PreparedStack } from '@package-registry/local-aws';
import { makeEnvironment } from './function-environment.ts';

const program = fileURLToPath(new URL('./events/follow.ts', import.meta.url));

/** Prints a line for each event from now on, until `stop` is called or this process ends. */
export const followEvents = (stack: PreparedStack): { readonly stop: () => void } => {
  const follower = spawn(process.execPath, [program, new Date().toISOString()], {
    env: makeEnvironment(stack),
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  return { stop: () => void follower.kill() };
};
