/** Fills a new stack with demo data, with the program `demo/load.ts`, which uses the registry's own code. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { type PreparedStack, StartError } from '@package-registry/local-aws';
import { makeEnvironment } from './function-environment.ts';

const program = fileURLToPath(new URL('./demo/load.ts', import.meta.url));

/**
 * Loads the demo data; resolves with the number of package versions.
 * @throws {StartError} with the program's error output when it fails
 */
export const loadDemoData = async (stack: PreparedStack): Promise<number> => {
  const loader = spawn(process.execPath, [program], {
    env: makeEnvironment(stack),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [loaded, errors, [code]] = await Promise.all([
    text(loader.stdout),
    text(loader.stderr),
    once(loader, 'exit'),
  ]);
  if (code !== 0) throw new StartError(`the demo data cannot be loaded\n${errors.trim()}`);
  // The last line is the number; log lines may precede it.
  return Number(loaded.trim().split('\n').at(-1));
};
