import type { Command } from 'commander';

/** Finds a subcommand by its name or an alias. */
export const findChild = (command: Command, typed: string): Command | undefined =>
  command.commands.find((child) => child.name() === typed || child.aliases().includes(typed));
