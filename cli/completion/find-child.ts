import type { Command } from 'commander';

/** The command below this one that is typed so, by its name or an alias of it. */
export const findChild = (command: Command, typed: string): Command | undefined =>
  command.commands.find((child) => child.name() === typed || child.aliases().includes(typed));
