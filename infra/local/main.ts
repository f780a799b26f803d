/** `npm start`: runs the registry on this machine until it is told to stop. */
import { fileURLToPath } from 'node:url';
import { parseTokenList } from '../../shared/auth/token-list.ts';
import { examples } from './banner.ts';
import { type Flags, help, parseFlags, UsageError } from './flags.ts';
import type { LocalStack } from './stack.ts';
import { StartError } from './start-error.ts';

const oldestNode = 24;

const exitCodes = { failure: 1, usage: 2 } as const;

/** Longer than a stop in order can take. */
const stopMs = 10_000;

function complain(error: unknown): void {
  const isExpected = error instanceof StartError || error instanceof UsageError;
  const detail = error instanceof Error && !isExpected ? error.stack : undefined;
  process.stderr.write(`${detail ?? (error instanceof Error ? error.message : error)}\n`);
}

/** @throws {StartError} on a release of Node.js that lacks what is used here */
function checkNode(): void {
  const version = process.versions.node;
  if (Number.parseInt(version, 10) >= oldestNode) return;
  throw new StartError(
    `Node.js ${oldestNode} or newer is needed, this is ${version}: run npm start`,
  );
}

/** Ends the process in order at the first signal. `running` may be filled in later. */
function stopOnSignals(running: { stack?: LocalStack }): void {
  let stopping = false;
  const stop = async (): Promise<void> => {
    // npm passes on what the terminal has sent to everyone already.
    if (stopping) return;
    stopping = true;
    setTimeout(() => process.exit(exitCodes.failure), stopMs).unref();
    await running.stack?.close();
    process.exit();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => stop().catch(fail));
  }
}

function fail(error: unknown): never {
  complain(error);
  process.exit(error instanceof UsageError ? exitCodes.usage : exitCodes.failure);
}

async function main(flags: Flags): Promise<void> {
  checkNode();
  const running: { stack?: LocalStack } = {};
  stopOnSignals(running);
  const { run } = await import('./run.ts');
  running.stack = await run({
    flags,
    project: fileURLToPath(new URL('../..', import.meta.url)),
    environment: process.env,
    onFailure: fail,
  });
  const { url, model, secrets } = running.stack;
  const [secretId = ''] = Object.keys(model.secrets);
  const hasTokens = parseTokenList(await secrets.get(secretId)).entries.length > 0;
  process.stdout.write(`${[`listening on ${url}`, ...examples(url, hasTokens)].join('\n')}\n`);
}

try {
  const flags = parseFlags(process.argv.slice(2));
  if (flags.help) process.stdout.write(help);
  else await main(flags);
} catch (error) {
  fail(error);
}
