import { type ClientOptions, createClient, type RegistryClient } from '../shared/client/client.ts';
import type { Environment } from './environment.ts';
import type { Format } from './output/result.ts';
import { oneLine } from './output/text.ts';
import { readSettings, type Settings } from './settings.ts';
import { eraseLine, type Terminal } from './terminal.ts';
import { UsageError } from './usage-error.ts';

/** The flags that every command has. */
export interface CommonFlags {
  readonly url?: string;
  readonly token?: string;
  readonly json?: boolean;
  readonly jsonl?: boolean;
  readonly timeout?: number;
}

/** What a command works with. */
export interface Session {
  readonly settings: Settings;
  readonly client: RegistryClient;
  readonly format: Format;
}

export const formatOf = ({ json, jsonl }: CommonFlags): Format => {
  if (json && jsonl) throw new UsageError('Give --json or --jsonl, not both.');
  if (json) return 'json';
  return jsonl ? 'jsonl' : 'people';
};

/** A wait is worth a line to whoever watches, from this long on. */
const noticedMs = 1000;

const tellWait = ({ err }: Terminal): ClientOptions['onWait'] =>
  err.isTerminal
    ? ({ ms, after }) => {
        if (ms < noticedMs) return;
        const text = `${oneLine(after.detail)} Trying again in ${Math.ceil(ms / 1000)} s.`;
        err.write(`${eraseLine}${err.style('dim', text)}\n`);
      }
    : undefined;

export const openSession = (
  flags: CommonFlags,
  environment: Environment,
  terminal: Terminal,
): Session => {
  const format = formatOf(flags);
  const settings = readSettings(flags, environment, terminal.warn);
  const client = createClient({
    url: settings.url.value,
    token: settings.token?.value,
    onWait: tellWait(terminal),
    ...(flags.timeout !== undefined && { timeoutMs: flags.timeout * 1000 }),
  });
  return { settings, client, format };
};
