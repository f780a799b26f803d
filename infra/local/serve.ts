/** Runs the registry on this machine until a signal stops it. */
import { fileURLToPath } from 'node:url';
import { type LocalStack, StartError } from '@package-registry/local-aws';
import { pages } from '../../shared/api/non-api-routes.ts';
import { settingVariables } from '../../shared/api/resources.ts';
import { parseTokenList, TokenListError } from '../../shared/domain/tokens/token-list.ts';
import { listExamples } from './banner.ts';
import type { Flags } from './flags.ts';
import { followEvents } from './follow-events.ts';
import { run } from './run.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The time after which the process exits, even if stopping has not ended. */
const stopMs = 10_000;

/** Returns one line for an expected error, and the stack trace of any other. */
const describe = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  return error instanceof StartError ? error.message : (error.stack ?? error.message);
};

const fail = (error: unknown): never => {
  process.stderr.write(`${describe(error)}\n`);
  process.exit(1);
};

/** The parts to stop, as far as they have started. */
interface Running {
  stack?: LocalStack;
  follower?: { readonly stop: () => void };
}

/** The interval of checks whether npm still runs. */
const watchMs = 500;

/**
 * Calls `stop` when npm has ended, if npm started this process. npm passes no signal on when it is killed.
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

/** Stops the parts and ends the process at the first signal, or when npm has ended. Parts may be added later. */
const stopOnSignal = (running: Running, environment: Environment): void => {
  let stopping = false;
  const stop = async (): Promise<void> => {
    // npm repeats signals that the terminal has sent to this process already.
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

/** Returns whether writes need a token. A malformed list accepts none, so they do. */
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
  stopOnSignal(running, environment);
  const project = fileURLToPath(new URL('../..', import.meta.url));
  running.stack = await run({ flags, project, environment, onFailure: fail });
  const { url, model, secrets } = running.stack;
  const [secretId = ''] = Object.keys(model.secrets);
  const requires = Object.values(model.functions).some(
    ({ environment: variables }) => variables[settingVariables.requireTokens] === 'true',
  );
  const hasTokens = requires || needsToken(await secrets.get(secretId));
  process.stdout.write(
    `${[
      `review at ${url}${pages.showConsole.path}`,
      `listening on ${url}`,
      ...listExamples(url, hasTokens),
    ].join('\n')}\n`,
  );
  if (flags.events) running.follower = followEvents(running.stack);
};

/** Starts the registry and prints its address. Ends the process with 1 if it cannot start or stops working. */
export const serve = (flags: Flags, environment: Environment): Promise<void> =>
  start(flags, environment).catch(fail);
