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

/** What the completion scripts call. */
const completionRequest = '__complete';

/** The patience of who has pressed a key and waits for a hint. */
const hintTimeoutMs = 1500;

/** A client of the registry that is meant; undefined where nothing says which, or something is wrong with it. */
const openHintClient = (args: readonly string[], environment: Environment) => {
  const at = args.indexOf('--url');
  const joined = args.find((arg) => arg.startsWith('--url='))?.slice('--url='.length);
  const url = at < 0 ? joined : args[at + 1];
  try {
    const settings = readSettings(url === undefined ? {} : { url }, environment, () => {});
    return createClient({ url: settings.url.value, timeoutMs: hintTimeoutMs, retries: 0 });
  } catch {
    return undefined;
  }
};

/** Help that was asked for; without a command it is shown too, but that is wrong usage. */
const isHelp = (error: unknown): error is CommanderError =>
  error instanceof CommanderError && /^commander\.help/.test(error.code);

/** The command as far as it was typed right, such as `registry scan show`. */
const findTypedCommand = (program: Command, args: readonly string[]): string => {
  let command = program;
  for (const word of args) {
    command = findChild(command, word) ?? command;
  }
  // It shows what there is itself.
  if (command.name() === 'help') return program.name();
  const above = command.parent?.parent ? [command.parent.name()] : [];
  return [...new Set([program.name(), ...above, command.name()])].join(' ');
};

/** Carries out one command line; resolves to the exit code. */
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
    const client = openHintClient(typed, environment);
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
