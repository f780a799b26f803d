/**
 * A process that runs one command after the other. It loads Node.js and the bundle once, and gives each command its own
 * arguments, environment, folder and streams, as in a separate process. Pauses end at once.
 */
import './skip-pauses.ts';
import { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import * as z from 'zod';

/** One command to run. */
const Order = z.object({
  args: z.array(z.string()),
  env: z.record(z.string(), z.string()),
  cwd: z.string(),
  stdin: z.string(),
});
export type Order = z.infer<typeof Order>;

const [, , bundle = ''] = process.argv;
const { run } = await import(pathToFileURL(bundle).href);

const replace = (name: 'stdin' | 'stdout' | 'stderr', stream: object): void => {
  Object.defineProperty(process, name, { value: stream, configurable: true });
};

const collect = (name: 'stdout' | 'stderr'): (() => string) => {
  let text = '';
  const write = (some: string): boolean => {
    text += some;
    return true;
  };
  replace(name, { isTTY: false, write });
  return () => text;
};

process.on('message', async (message) => {
  const { args, env, cwd, stdin } = Order.parse(message);
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  process.chdir(cwd);
  replace('stdin', Readable.from(stdin === '' ? [] : [Buffer.from(stdin)]));
  const [stdout, stderr] = [collect('stdout'), collect('stderr')];
  const code: unknown = await run(args);
  process.send?.({ code, stdout: stdout(), stderr: stderr() });
});
process.on('disconnect', () => process.exit());
process.send?.('ready');
