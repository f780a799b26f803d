/** Runs the registry on this machine until it is told to stop. */
import { fileURLToPath } from 'node:url';
import { type LocalStack, StartError } from 'local-aws';
import { parseTokenList, TokenListError } from '../../shared/domain/token-list.ts';
import { pages } from '../../shared/pages.ts';
import { listExamples } from './banner.ts';
import type { Flags } from './flags.ts';
import { followEvents } from './follow-events.ts';
import { run } from './run.ts';

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

/** Ends the process in order at the first signal. `running` may be filled in later. */
const stopOnSignals = (running: Running): void => {
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
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => stop().catch(fail));
  }
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

const start = async (
  flags: Flags,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<void> => {
  const running: Running = {};
  stopOnSignals(running);
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
export const serve = (
  flags: Flags,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<void> => start(flags, environment).catch(fail);
