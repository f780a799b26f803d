import type { Command } from 'commander';
import type { Terminal } from './output/terminal.ts';
import { groupWords } from './route/flag-words.ts';
import type { Environment } from './session/environment.ts';
import { openSession, type Session } from './session/session.ts';

/** What the program is built on. */
export interface Surroundings {
  readonly environment: Environment;
  readonly terminal: Terminal;
  /** Told of every session, so that a failure can say where its settings came from. */
  readonly onSession: (session: Session) => void;
}

/** Adds the command that is typed so, below its group. */
export const addCommand = (program: Command, typed: string): Command => {
  const [name = '', ...groups] = typed.split(' ').reverse();
  const parent = groups.reduceRight((above, group) => {
    const known = above.commands.find((command) => command.name() === group);
    if (known) return known;
    return above
      .command(group)
      .description(groupWords[group] ?? '')
      .helpCommand(false);
  }, program);
  return parent.command(name);
};

/** Shows examples below the help of a command. */
export const addExamples = (command: Command, examples: readonly string[]): Command =>
  command.addHelpText(
    'after',
    ['', 'Examples:', ...examples.map((example) => `  registry ${example}`)].join('\n'),
  );

/** Opens a session by the flags of a command. */
export const openCommandSession = (
  command: Command,
  { environment, terminal, onSession }: Surroundings,
  { writes }: { readonly writes: boolean },
): Session => {
  const session = openSession({ flags: command.optsWithGlobals(), environment, terminal, writes });
  onSession(session);
  return session;
};
