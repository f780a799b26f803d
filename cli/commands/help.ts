import { Argument } from 'commander';
import { findChild } from '../completion/find-child.ts';
import type { CliCommand } from '../framework/command.ts';
import { UsageError } from '../input/usage-error.ts';

export const help: CliCommand = {
  name: 'help',
  summary: 'Show commands and flags, as --help does',
  examples: ['help', 'help scan show'],
  arguments: [new Argument('[command...]')],
  options: [],
  run: ({ arguments: typed }, { program }) => {
    let command = program;
    for (const word of typed) {
      const child = findChild(command, word);
      if (!child) throw new UsageError(`There is no command "${typed.join(' ')}".`);
      command = child;
    }
    command.outputHelp();
  },
};
