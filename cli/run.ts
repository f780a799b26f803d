import { type Command, CommanderError } from 'commander';
import { createClient } from '../shared/api/client/client.ts';
import { findCandidates } from './completion/candidates.ts';
import { findChild } from './completion/find-child.ts';
import { findPackages } from './completion/find-packages.ts';
import { exitCodes } from './failure/exit-code.ts';
import { reportFailure } from './failure/report-failure.ts';
import { InterruptedError } from './input/interrupted-error.ts';
import { openTerminal } from './output/terminal.ts';
import { buildProgram } from './program.ts';
import { type Environment, readEnvironment } from './session/environment.ts';
import type { Session } from './session/session.ts';
import { readSettings, type Settings } from './session/settings.ts';

/** The hidden command of the completion scripts. */
const completionRequest = '__complete';

/** A completion that takes longer comes too late. */
const completionTimeoutMs = 1500;

/** Opens a client for completions; undefined if the settings name no registry, or are wrong. */
const openCompletionClient = (args: readonly string[], environment: Environment) => {
  const at = args.indexOf('--url');
  const joined = args.find((arg) => arg.startsWith('--url='))?.slice('--url='.length);
  const url = at < 0 ? joined : args[at + 1];
  try {
    const settings = readSettings(url === undefined ? {} : { url }, environment, () => {});
    return createClient({ url: settings.url.value, timeoutMs: completionTimeoutMs, retries: 0 });
  } catch {
    return undefined;
  }
};

/** Returns whether commander has shown the help. Without a command, it ends with 2. */
const isHelp = (error: unknown): error is CommanderError =>
  error instanceof CommanderError && /^commander\.help/.test(error.code);

/** Returns the command as far as it was recognized, such as `registry scan show`. */
const findTypedCommand = (program: Command, args: readonly string[]): string => {
  let command = program;
  for (const word of args.filter((arg) => !arg.startsWith('-'))) {
    const child = findChild(command, word);
    if (!child) break;
    command = child;
  }
  // `help` has no flags worth a hint.
  if (command.name() === 'help') return program.name();
  const above = command.parent?.parent ? [command.parent.name()] : [];
  return [...new Set([program.name(), ...above, command.name()])].join(' ');
};

/** Runs one command line; resolves to the exit code. */
export const run = async (args: readonly string[]): Promise<number> => {
  const environment = readEnvironment();
  const terminal = openTerminal(environment);
  let settings: Settings | undefined;
  const onSession = (session: Session): void => {
    settings = session.settings;
  };
  const program = buildProgram({ environment, terminal, onSession });
  if (args[0] === completionRequest) {
    const typed = args.slice(2);
    const client = openCompletionClient(typed, environment);
    const findKnown = async (begun: string) => (client ? findPackages(begun, client) : []);
    for (const { word, meaning } of await findCandidates(program, typed, findKnown)) {
      terminal.out.write(`${[word, meaning].filter(Boolean).join('\t')}\n`);
    }
    return exitCodes.done;
  }
  try {
    await program.parseAsync(args, { from: 'user' });
    return exitCodes.done;
  } catch (error) {
    if (isHelp(error)) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
    if (error instanceof InterruptedError) return exitCodes.interrupted;
    const json = args.includes('--json') || args.includes('--jsonl');
    const command = findTypedCommand(program, args);
    return reportFailure(error, { terminal, json, settings, command });
  }
};
