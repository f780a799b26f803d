import type { Argument, Command, Option } from 'commander';
import type { JsonObject } from '../../shared/util/json.ts';
import type { Terminal } from '../output/terminal.ts';
import type { Environment } from '../session/environment.ts';
import type { Session } from '../session/session.ts';

/** The arguments and flags that were typed after a command. */
export interface Invocation {
  readonly arguments: readonly string[];
  readonly flags: JsonObject;
}

/** The parts of the process that a command works with. */
export interface Surroundings {
  readonly environment: Environment;
  readonly terminal: Terminal;
  /** Receives every session, so that a failure can name the source of its settings. */
  readonly onSession: (session: Session) => void;
}

/** What a command runs in. */
export interface CommandContext extends Surroundings {
  /** The whole command line, for `help`. */
  readonly program: Command;
  /**
   * Opens a session with the registry that the flags, the environment or the config file name.
   * @param options.writes whether the command writes, and so sends the token
   */
  readonly openSession: (options: { readonly writes: boolean }) => Session;
}

/** One command of the command line. */
export interface CliCommand {
  /** What is typed after `registry`, such as `scan show`. */
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly summary: string;
  /** Complete command lines without the leading `registry`. */
  readonly examples: readonly string[];
  readonly arguments: readonly Argument[];
  readonly options: readonly Option[];
  readonly run: (invocation: Invocation, context: CommandContext) => Promise<void> | void;
}
