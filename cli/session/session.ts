import { createClient, type RegistryClient } from '../../shared/api/client/client.ts';
import { createProgress, noProgress, type Progress } from '../output/progress.ts';
import type { Format } from '../output/result.ts';
import { applyQuiet, type Terminal } from '../output/terminal.ts';
import { openCallerTokens } from './caller-tokens.ts';
import { type CommonFlags, chooseFormat } from './common-flags.ts';
import type { Environment } from './environment.ts';
import { readSettings, type Settings } from './settings.ts';
import { logRequests, showWaiting } from './watch-requests.ts';

/** What a command that calls the registry works with. */
export interface Session {
  readonly settings: Settings;
  readonly client: RegistryClient;
  readonly format: Format;
  readonly terminal: Terminal;
  readonly progress: Progress;
  /** Returns the number of retries so far, after a lost answer or a temporary fault. */
  readonly countRetries: () => number;
}

interface SessionOptions {
  readonly flags: CommonFlags;
  readonly terminal: Terminal;
  /** Whether the command may write, and so sends the token. */
  readonly writes: boolean;
}

/**
 * Opens a session by settings.
 * @throws {UsageError} if a header cannot carry the token
 */
export const startSession = (settings: Settings, options: SessionOptions): Session => {
  const { flags, writes } = options;
  const format = chooseFormat(flags);
  const terminal = applyQuiet(options.terminal, flags.quiet);
  const url = settings.url.value;
  const isWatched = terminal.err.isTerminal || (format === 'people' && !flags.quiet);
  const progress = isWatched ? createProgress(terminal.err) : noProgress;
  const { onCall, onWait } = isWatched ? showWaiting(url, terminal.err, progress) : {};
  let retries = 0;
  const client: RegistryClient = createClient({
    ...{ url, onCall },
    ...(writes && openCallerTokens(settings.credentials, () => client)),
    onWait: (wait) => {
      retries += 1;
      onWait?.(wait);
    },
    ...(flags.debug && logRequests(settings, options.terminal.err)),
    ...(flags.timeout !== undefined && { timeoutMs: flags.timeout * 1000 }),
  });
  return { settings, client, format, terminal, progress, countRetries: () => retries };
};

/**
 * Opens a session with the registry that the flags, the environment or the config file name.
 * @throws {UsageError} if none of them names a registry, or a setting is wrong
 */
export const openSession = (
  options: SessionOptions & { readonly environment: Environment },
): Session => {
  const { flags, environment } = options;
  const { warn } = applyQuiet(options.terminal, flags.quiet);
  return startSession(readSettings(flags, environment, warn), options);
};
