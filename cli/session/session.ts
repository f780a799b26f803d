import { createClient, type RegistryClient } from '../../shared/api/client/client.ts';
import { createProgress, noProgress, type Progress } from '../output/progress.ts';
import type { Format } from '../output/result.ts';
import { applyQuiet, type Terminal } from '../output/terminal.ts';
import { type CommonFlags, chooseFormat } from './common-flags.ts';
import type { Environment } from './environment.ts';
import { readSettings, readToken, type Settings } from './settings.ts';
import { tellRequests, tellWaiting } from './watch-requests.ts';

/** What a command that asks the registry works with. */
export interface Session {
  readonly settings: Settings;
  readonly client: RegistryClient;
  readonly format: Format;
  readonly terminal: Terminal;
  readonly progress: Progress;
  /** How often a request was sent again so far, since no answer to it arrived or a passing fault did. */
  readonly countRepeats: () => number;
}

/** How a session is opened. */
interface SessionOptions {
  readonly flags: CommonFlags;
  readonly terminal: Terminal;
  /** Whether the command may write, and so needs the token. */
  readonly writes: boolean;
}

/**
 * Opens a client of the registry that settings name.
 * @throws {UsageError} if no header can carry the token
 */
export const startSession = (settings: Settings, options: SessionOptions): Session => {
  const { flags, writes } = options;
  const format = chooseFormat(flags);
  const terminal = applyQuiet(options.terminal, flags.quiet);
  const url = settings.url.value;
  const isWatched = terminal.err.isTerminal || (format === 'people' && !flags.quiet);
  const progress = isWatched ? createProgress(terminal.err) : noProgress;
  const { onCall, onWait } = tellWaiting(url, terminal.err, progress);
  let repeats = 0;
  const client = createClient({
    ...{ url, onCall },
    token: writes ? readToken(settings) : undefined,
    onWait: (wait) => {
      repeats += 1;
      onWait?.(wait);
    },
    ...(flags.debug && tellRequests(settings, options.terminal.err)),
    ...(flags.timeout !== undefined && { timeoutMs: flags.timeout * 1000 }),
  });
  return { settings, client, format, terminal, progress, countRepeats: () => repeats };
};

/**
 * Finds out which registry is meant, and opens a client of it.
 * @throws {UsageError} if that is not said, or cannot be
 */
export const openSession = (
  options: SessionOptions & { readonly environment: Environment },
): Session => {
  const { flags, environment } = options;
  const { warn } = applyQuiet(options.terminal, flags.quiet);
  return startSession(readSettings(flags, environment, warn), options);
};
