import { createClient, type RegistryClient, type Wait } from '../../shared/client/client.ts';
import type { Format } from '../output/result.ts';
import { eraseLine, type Terminal } from '../output/terminal.ts';
import { toOneLine } from '../output/text.ts';
import { type CommonFlags, chooseFormat } from './common-flags.ts';
import type { Environment } from './environment.ts';
import { readSettings, readToken, type Settings } from './settings.ts';

/** What a command that asks the registry works with. */
export interface Session {
  readonly settings: Settings;
  readonly client: RegistryClient;
  readonly format: Format;
  readonly terminal: Terminal;
  /** How often a request was sent again so far, since no answer to it arrived or a passing fault did. */
  readonly countRepeats: () => number;
}

/** A wait is worth a line to whoever watches, from this long on. */
const noticedMs = 1000;

const tellWait = ({ ms, after }: Wait, { err }: Terminal): void => {
  if (!err.isTerminal || ms < noticedMs) return;
  const text = `${toOneLine(after.detail)} Trying again in ${Math.ceil(ms / 1000)} s.`;
  err.write(`${eraseLine}${err.style('dim', text)}\n`);
};

/** What a session is opened with. */
interface SessionOptions {
  readonly flags: CommonFlags;
  readonly environment: Environment;
  readonly terminal: Terminal;
  /** Whether the command may write, and so needs the token. */
  readonly writes: boolean;
}

/**
 * Finds out which registry is meant, and opens a client of it.
 * @throws {UsageError} if that is not said, or cannot be
 */
export const openSession = ({ flags, environment, terminal, writes }: SessionOptions): Session => {
  const format = chooseFormat(flags);
  const settings = readSettings(flags, environment, terminal.warn);
  let repeats = 0;
  const client = createClient({
    url: settings.url.value,
    token: writes ? readToken(settings) : undefined,
    onWait: (wait) => {
      repeats += 1;
      tellWait(wait, terminal);
    },
    ...(flags.timeout !== undefined && { timeoutMs: flags.timeout * 1000 }),
  });
  return { settings, client, format, terminal, countRepeats: () => repeats };
};
