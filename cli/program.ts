import { Argument, Command, Help, Option } from 'commander';
import { isProtected } from '../shared/route-rules.ts';
import { type CheckFlags, declareCheck } from './check/options.ts';
import { findChild } from './completion/find-child.ts';
import { completionScripts, type Shell, shells } from './completion/scripts.ts';
import { UsageError } from './input/usage-error.ts';
import { writeResult } from './output/result.ts';
import { quieten, type Terminal } from './output/terminal.ts';
import type { CommandWords } from './route/command-words.ts';
import { declareInput, toOption } from './route/declare-input.ts';
import { describeCommand, type RouteCommand } from './route/route-command.ts';
import { runRoute } from './route/run-route.ts';
import { flagWords, groupWords, type RouteName, words } from './route/words.ts';
import { type CommonFlags, chooseFormat, declareCommonFlags } from './session/common-flags.ts';
import { createToken, type TokenOwner, tokenScopes } from './session/create-token.ts';
import type { Environment } from './session/environment.ts';
import { openSession, type Session } from './session/session.ts';

/** What the program is built on. */
interface Surroundings {
  readonly environment: Environment;
  readonly terminal: Terminal;
  /** Told of every session, so that a failure can say where its settings came from. */
  readonly onSession: (session: Session) => void;
}

/** Adds the command that is typed so, below its group. */
const addCommand = (program: Command, typed: string): Command => {
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

const routeNames = Object.keys(words) as RouteName[];

const addExamples = (command: Command, examples: readonly string[]): Command =>
  command.addHelpText(
    'after',
    ['', 'Examples:', ...examples.map((example) => `  registry ${example}`)].join('\n'),
  );

const startSession = (
  command: Command,
  { environment, terminal, onSession }: Surroundings,
  { writes }: { readonly writes: boolean },
): Session => {
  const session = openSession({ flags: command.optsWithGlobals(), environment, terminal, writes });
  onSession(session);
  return session;
};

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
    const session = startSession(command, surroundings, { writes: isProtected(chosen.route) });
    const given = command.processedArgs.flat();
    await runRoute(chosen, { arguments: given, flags }, session);
  });
};

/** What `list --search` does, for who would rather type `search`. */
const addSearchCommand = (program: Command, surroundings: Surroundings): void => {
  const listing = describeCommand('listPackages');
  const command = addCommand(program, 'search')
    .description('List package versions by a part of their name')
    .argument('<text...>', flagWords['search']);
  const query = listing.query.filter(({ name }) => name !== 'search');
  declareInput(command, { ...listing, query });
  addExamples(command, ['search log4j', 'search left -s approved']).action(
    async (typed: readonly string[]) => {
      const flags = { ...command.optsWithGlobals(), search: typed.join(' ') };
      const session = startSession(command, surroundings, { writes: false });
      await runRoute(listing, { arguments: [], flags }, session);
    },
  );
};

const addTokenCommand = (program: Command, surroundings: Surroundings): void => {
  const command = addCommand(program, 'token new')
    .description('Make a random token, and the entry that lets the registry accept it')
    .option('--label <text>', 'whose token it is; the registry shows it in place of a name')
    .addOption(
      new Option('--scope <scope>', 'what it is for; all, if not given').choices(tokenScopes),
    );
  const examples = ['token new --label ci --scope submit', 'token new --label ana'];
  addExamples(command, examples).action(() => {
    const flags = command.optsWithGlobals<CommonFlags & TokenOwner>();
    const terminal = flags.quiet ? quieten(surroundings.terminal) : surroundings.terminal;
    const { token, entry, advice } = createToken(flags);
    const format = chooseFormat(flags);
    writeResult({ token, entry }, terminal, { format });
    if (format === 'people') terminal.err.write(advice);
  });
};

const reviewFilters = ['ecosystem', 'search'];

const addReviewCommand = (program: Command, surroundings: Surroundings): void => {
  const command = addCommand(program, 'review').description(
    'Walk through what waits for a decision, in a terminal',
  );
  for (const flag of describeCommand('listPackages').query) {
    if (reviewFilters.includes(flag.name)) command.addOption(toOption(flag));
  }
  command.option('--by <text>', 'who decides, if not the owner of the token');
  addExamples(command, ['review', 'review --ecosystem npm']).action(async () => {
    const { review } = await import('./review/review.ts');
    const session = startSession(command, surroundings, { writes: true });
    await review(command.optsWithGlobals(), session);
  });
};

const addCheckCommand = (program: Command, surroundings: Surroundings): void => {
  const { route, words: checkWords } = describeCommand('checkPackages');
  const command = addCommand(program, checkWords.command).description(route.summary);
  addExamples(declareCheck(command), checkWords.examples).action(async (paths: string[]) => {
    const { check } = await import('./check/check.ts');
    const flags = command.optsWithGlobals<CheckFlags>();
    const session = startSession(command, surroundings, { writes: flags.submit === true });
    await check(paths, flags, session, surroundings.environment);
  });
};

const addMcpCommand = (program: Command, surroundings: Surroundings): void => {
  const command = addCommand(program, 'mcp')
    .description('Answer coding agents by the Model Context Protocol, until they hang up')
    .option('--allow-submit', 'let them submit packages for review, with the token');
  addExamples(command, ['mcp', 'mcp --allow-submit']).action(async () => {
    const { serveAgents } = await import('./mcp/serve.ts');
    const { allowSubmit: submit = false } = command.opts<{ allowSubmit?: boolean }>();
    serveAgents(startSession(command, surroundings, { writes: submit }), { submit });
  });
};

const addCompletionCommand = (program: Command, { terminal }: Surroundings): void => {
  const command = addCommand(program, 'completion')
    .description('Print what makes a shell complete commands and flags')
    .addArgument(new Argument('<shell>').choices(shells));
  addExamples(command, [
    'completion bash > ~/.local/share/bash-completion/completions/registry',
    'completion zsh > ~/.zsh/functions/_registry      # a folder of your fpath',
    'completion fish > ~/.config/fish/completions/registry.fish',
  ]).action((shell: Shell) => terminal.out.write(completionScripts[shell]));
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

const addHelpCommand = (program: Command): void => {
  addCommand(program, 'help')
    .description('Show what there is, as --help does')
    .argument('[command...]')
    .action((typed: readonly string[]) => {
      let command = program;
      for (const word of typed) {
        const child = findChild(command, word);
        if (!child) throw new UsageError(`There is no command "${typed.join(' ')}".`);
        command = child;
      }
      command.outputHelp();
    });
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
  addCheckCommand(program, surroundings);
  addSearchCommand(program, surroundings);
  addTokenCommand(program, surroundings);
  addReviewCommand(program, surroundings);
  addMcpCommand(program, surroundings);
  addCompletionCommand(program, surroundings);
  addHelpCommand(program);
  return program;
};
