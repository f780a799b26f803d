import type { CliCommand } from '../framework/command.ts';
import { writeResult } from '../output/result.ts';
import { applyQuiet } from '../output/terminal.ts';
import { type CommonFlags, chooseFormat } from '../session/common-flags.ts';
import { findUrl, readConfig, writeConfig } from '../session/config-file.ts';

export const logout: CliCommand = {
  name: 'logout',
  summary: 'Remove the token that login has saved',
  examples: ['logout', 'logout --url registry.example.com'],
  arguments: [],
  options: [],
  run: ({ flags }, { environment, terminal }) => {
    const { configFile } = environment;
    const { quiet, url: given, ...format }: CommonFlags = flags;
    const config = readConfig(configFile);
    const url = given === undefined ? config.url : findUrl(config, given);
    const token = url === undefined ? null : (config.tokens[url] ?? null);
    // The URL stays, for commands that read.
    if (url !== undefined && token !== null) {
      writeConfig(configFile, { ...config, tokens: { ...config.tokens, [url]: null } });
    }
    const { warn } = applyQuiet(terminal, quiet);
    if (environment.token) warn('REGISTRY_TOKEN is set, and commands still use it.');
    const outcome = token === null ? 'there was none' : 'removed';
    const result = { url, token: outcome, file: configFile };
    writeResult(result, terminal, { format: chooseFormat(format) });
  },
};
