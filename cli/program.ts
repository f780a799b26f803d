import { Command, Help, Option } from 'commander';
import { isProtected } from '../shared/api/route-rules.ts';
import { addCommand, addExamples, openCommandSession, type Surroundings } from './command.ts';
import { addOwnCommands } from './own-commands.ts';
import type { CommandWords } from './route/command-words.ts';
import { declareInput } from './route/declare-input.ts';
import { describeCommand, type RouteCommand } from './route/route-command.ts';
import type { RouteName } from './route/route-words.ts';
import { runRoute } from './route/run-route.ts';
import { words } from './route/words.ts';
import { declareCommonFlags } from './session/common-flags.ts';

const routeNames = Object.keys(words) as RouteName[];

const flagMark = ' --';

/** The flags of a command that have another operation answer: `show --evidence` is such a flag of `show`. */
const listVariants = (typed: string): readonly (readonly [flag: string, RouteCommand])[] =>
  routeNames
    .filter((name) => words[name].command.startsWith(`${typed}${flagMark}`))
    .map((name) => [
      words[name].command.slice(typed.length + flagMark.length),
      describeCommand(name),
    ]);

const addRoute = (program: Command, name: RouteName, surroundings: Surroundings): void => {
  const described = describeCommand(name);
  const variants = listVariants(described.words.command);
  const command = addCommand(program, described.words.command);
  command.aliases(described.words.aliases ?? []).description(described.route.summary);
  declareInput(command, described);
  for (const [flag, { route }] of variants) command.option(`--${flag}`, route.summary);
  const examples = [described, ...variants.map(([, one]) => one)].flatMap(
    (one) => one.words.examples,
  );
  addExamples(command, examples).action(async () => {
    const flags = command.optsWithGlobals();
    const [, chosen] = variants.find(([flag]) => flags[flag]) ?? [undefined, described];
    const session = openCommandSession(command, surroundings, {
      writes: isProtected(chosen.route),
    });
    const given = command.processedArgs.flat();
    await runRoute(chosen, { arguments: given, flags }, session);
  });
};

const introduction = `Submits, reviews and looks up packages in a package registry.

Which registry: --url, REGISTRY_URL, or {"url": "https://…"} in`;

/** It has to stand alone: after a command, it may be a flag of that. */
const versionOption = new Option('-V, --version', 'show the version');

/** What help shows, and suggestions are made of. */
const visibleOptions = (command: Command): Option[] => {
  const options = new Help().visibleOptions(command);
  return command.parent ? options : [...options, versionOption];
};

const createProgram = ({ environment, terminal }: Surroundings): Command => {
  const program = new Command('registry')
    .description(`${introduction} ${environment.configFile}.`)
    .helpOption('-h, --help', 'show what there is')
    .helpCommand(false)
    .exitOverride()
    .configureHelp({ showGlobalOptions: true, sortSubcommands: false, visibleOptions })
    .configureOutput({
      writeOut: terminal.out.write,
      writeErr: terminal.err.write,
      // Told in the same way as every other failure.
      outputError: () => {},
    });
  return declareCommonFlags(program).addHelpText(
    'after',
    '\nregistry --help after a command shows its examples.',
  );
};

/** Builds the whole command line: a command for every route, and those that are made of several or of none. */
export const buildProgram = (surroundings: Surroundings): Command => {
  const program = createProgram(surroundings);
  for (const name of routeNames) {
    const { command, isOwn }: CommandWords = words[name];
    if (!isOwn && !command.includes(flagMark)) addRoute(program, name, surroundings);
  }
  addOwnCommands(program, surroundings);
  return program;
};
