import type { CliCommand } from '../framework/command.ts';
import { writeResult } from '../output/result.ts';
import { applyQuiet } from '../output/terminal.ts';
import { type CommonFlags, chooseFormat } from '../session/common-flags.ts';
import { readConfig, writeConfig } from '../session/config-file.ts';

export const logout: CliCommand = {
  name: 'logout',
  summary: 'Remove the token that login has saved',
  examples: ['logout'],
  arguments: [],
  options: [],
  run: ({ flags }, { environment, terminal }) => {
    const { configFile } = environment;
    const { quiet, ...format }: CommonFlags = flags;
    const { token, ...rest } = readConfig(configFile);
    // The URL stays, for commands that read.
    if (token !== undefined) writeConfig(configFile, rest);
    const { warn } = applyQuiet(terminal, quiet);
    if (environment.token) warn('REGISTRY_TOKEN is set, and commands still use it.');
    const outcome = token === undefined ? 'there was none' : 'removed';
    const result = { ...rest, token: outcome, file: configFile };
    writeResult(result, terminal, { format: chooseFormat(format) });
  },
};
