/** Prints what happens, by the program in `events/` that reads the registry's own table of events. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { PreparedStack } from 'local-aws';
import { makeEnvironment } from './function-environment.ts';

const program = fileURLToPath(new URL('./events/follow.ts', import.meta.url));

/** Prints a line for each event from now on. Resolves nothing: it ends with this process, or when it is told to stop. */
export const followEvents = (stack: PreparedStack): { readonly stop: () => void } => {
  const follower = spawn(process.execPath, [program, new Date().toISOString()], {
    env: makeEnvironment(stack),
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  return { stop: () => void follower.kill() };
};
