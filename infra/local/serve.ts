/** Runs the registry on this machine until it is told to stop. */
import { fileURLToPath } from 'node:url';
import { type LocalStack, StartError } from 'local-aws';
import { pages } from '../../shared/api/non-api-routes.ts';
import { parseTokenList, TokenListError } from '../../shared/domain/tokens/token-list.ts';
import { listExamples } from './banner.ts';
import type { Flags } from './flags.ts';
import { followEvents } from './follow-events.ts';
import { run } from './run.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Longer than a stop in order can take. */
const stopMs = 10_000;

/** What was foreseen is told in one line, anything else with its stack. */
const describe = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  return error instanceof StartError ? error.message : (error.stack ?? error.message);
};

const fail = (error: unknown): never => {
  process.stderr.write(`${describe(error)}\n`);
  process.exit(1);
};

/** What has to be ended, as far as it was started. */
interface Running {
  stack?: LocalStack;
  follower?: { readonly stop: () => void };
}

/** How often it is looked whether npm still runs. */
const watchMs = 500;

/**
 * Calls `stop` when npm has ended, where npm started this process: a kill that npm cannot catch passes nothing on.
 * A process that a shell started may outlive the shell, as with nohup.
 */
const stopWithNpm = (stop: () => void, environment: Environment): void => {
  if (environment['npm_lifecycle_event'] === undefined) return;
  const npm = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === npm) return;
    clearInterval(watch);
    stop();
  }, watchMs).unref();
};

/** Ends the process in order at the first signal, or when npm has ended. `running` may be filled in later. */
const stopWhenTold = (running: Running, environment: Environment): void => {
  let stopping = false;
  const stop = async (): Promise<void> => {
    // npm passes on what the terminal has sent to everyone already.
    if (stopping) return;
    stopping = true;
    setTimeout(() => process.exit(1), stopMs).unref();
    running.follower?.stop();
    await running.stack?.close();
    process.exit();
  };
  const stopOrFail = (): void => void stop().catch(fail);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stopOrFail);
  stopWithNpm(stopOrFail, environment);
};

/** Whether a request to write needs a token; a list that cannot be read lets nobody in. */
const needsToken = (list: string): boolean => {
  try {
    return parseTokenList(list).entries.length > 0;
  } catch (error) {
    if (error instanceof TokenListError) return true;
    throw error;
  }
};

const start = async (flags: Flags, environment: Environment): Promise<void> => {
  const running: Running = {};
  stopWhenTold(running, environment);
  const project = fileURLToPath(new URL('../..', import.meta.url));
  running.stack = await run({ flags, project, environment, onFailure: fail });
  const { url, model, secrets } = running.stack;
  const [secretId = ''] = Object.keys(model.secrets);
  const hasTokens = needsToken(await secrets.get(secretId));
  process.stdout.write(
    `${[
      `review at ${url}${pages.showConsole.path}`,
      `listening on ${url}`,
      ...listExamples(url, hasTokens),
    ].join('\n')}\n`,
  );
  if (flags.events) running.follower = followEvents(running.stack);
};

/** Starts the registry and tells where it listens. Ends the process with 1 when it cannot start, or stops working. */
export const serve = (flags: Flags, environment: Environment): Promise<void> =>
  start(flags, environment).catch(fail);
