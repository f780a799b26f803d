import { createClient, type RegistryClient } from '../shared/client/client.ts';
import type { Environment } from './environment.ts';
import type { Format } from './output/result.ts';
import { readSettings, type Settings } from './settings.ts';
import type { Terminal } from './terminal.ts';
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

export const openSession = (
  flags: CommonFlags,
  environment: Environment,
  { warn }: Terminal,
): Session => {
  const format = formatOf(flags);
  const settings = readSettings(flags, environment, warn);
  const client = createClient({
    url: settings.url.value,
    token: settings.token?.value,
    ...(flags.timeout !== undefined && { timeoutMs: flags.timeout * 1000 }),
  });
  return { settings, client, format };
};
