import { Argument, Command, Option } from 'commander';
import type { Routes } from '../shared/routes.ts';
import { completionScript, shells } from './completion/scripts.ts';
import { declare, optionOf, timeoutSeconds } from './declaration.ts';
import type { Environment } from './environment.ts';
import { newToken } from './new-token.ts';
import { writeResult } from './output/result.ts';
import { routeCommand } from './route-command.ts';
import { runRoute } from './run-route.ts';
import { type CommonFlags, formatOf, openSession, type Session } from './session.ts';
import type { Terminal } from './terminal.ts';
import { groupWords, words } from './words.ts';

/** What the program is built on. */
export interface Surroundings {
  readonly environment: Environment;
  readonly terminal: Terminal;
  /** Told of every session, so that a failure can say where its settings came from. */
  readonly onSession: (session: Session) => void;
}

/** The command that is typed so, below its group. */
const commandAt = (program: Command, typed: string): Command => {
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

const withExamples = (command: Command, examples: readonly string[]): Command =>
  command.addHelpText(
    'after',
    ['', 'Examples:', ...examples.map((example) => `  registry ${example}`)].join('\n'),
  );

const addRoute = (program: Command, name: keyof Routes, surroundings: Surroundings): void => {
  const described = routeCommand(name);
  const command = commandAt(program, described.words.command);
  command.description(described.route.summary);
  declare(command, described);
  withExamples(command, described.words.examples).action(async () => {
    const flags = command.optsWithGlobals();
    const { environment, terminal, onSession } = surroundings;
    const session = openSession(flags, environment, terminal);
    onSession(session);
    const invocation = { arguments: command.processedArgs as string[], flags };
    await runRoute(described, invocation, { session, terminal });
  });
};

const addTokenCommand = (program: Command, { terminal }: Surroundings): void => {
  const command = commandAt(program, 'token new')
    .description('Make a random token, and the entry that lets the registry accept it')
    .option('--label <text>', 'whose token it is; the registry shows it in place of a name');
  withExamples(command, ['token new --label ci']).action(() => {
    const flags = command.optsWithGlobals<CommonFlags & { label?: string }>();
    const { token, entry, advice } = newToken(flags.label);
    const format = formatOf(flags);
    writeResult({ token, entry }, terminal, { format });
    if (format === 'people') terminal.err.write(advice);
  });
};

const reviewed = ['ecosystem', 'search'];

const addReviewCommand = (program: Command, surroundings: Surroundings): void => {
  const command = commandAt(program, 'review').description(
    'Walk through what waits for a decision, in a terminal',
  );
  for (const flag of routeCommand('listPackages').query) {
    if (reviewed.includes(flag.name)) command.addOption(optionOf(flag));
  }
  command.option('--by <text>', 'who decides, if not the owner of the token');
  withExamples(command, ['review', 'review --ecosystem npm']).action(async () => {
    const { review } = await import('./review/review.ts');
    const { environment, terminal, onSession } = surroundings;
    const flags = command.optsWithGlobals();
    const session = openSession(flags, environment, terminal);
    onSession(session);
    await review(flags, { session, terminal });
  });
};

const addCompletionCommand = (program: Command, { terminal }: Surroundings): void => {
  const command = commandAt(program, 'completion')
    .description('Print what makes a shell complete commands and flags')
    .addArgument(new Argument('<shell>').choices(shells));
  withExamples(command, [
    'completion bash > ~/.local/share/bash-completion/completions/registry',
    'completion zsh > ~/.zsh/functions/_registry      # a folder of your fpath',
    'completion fish > ~/.config/fish/completions/registry.fish',
  ]).action((shell) => terminal.out.write(completionScript(shell)));
};

const introduction = `Submits, reviews and looks up packages in a package registry.

Which registry: --url, REGISTRY_URL, or {"url": "https://…"} in`;

/** The whole command line: a command for every route, and those that are made of several or of none. */
export const buildProgram = (surroundings: Surroundings): Command => {
  const { environment, terminal } = surroundings;
  const program = new Command('registry')
    .description(`${introduction} ${environment.configFile}.`)
    .option('--url <url>', 'the base URL of the registry')
    .option('--token <token>', 'for commands that write; better kept in REGISTRY_TOKEN')
    .option('--json', 'write the result as one JSON document')
    .option('--jsonl', 'write the result as JSON, a line for each row')
    .addOption(
      new Option('--timeout <seconds>', 'how long to wait for one answer')
        .argParser(timeoutSeconds)
        .default(30),
    )
    .helpOption('-h, --help', 'show what there is')
    .helpCommand('help [command]', 'Show what there is, as --help does')
    .exitOverride()
    .configureHelp({ showGlobalOptions: true, sortSubcommands: false })
    .configureOutput({
      writeOut: terminal.out.write,
      writeErr: terminal.err.write,
      // Told in the same way as every other failure.
      outputError: () => {},
    });
  program.addHelpText(
    'after',
    '\nregistry --version shows the version, and --help after a command its examples.',
  );
  for (const name of Object.keys(words) as (keyof Routes)[]) addRoute(program, name, surroundings);
  addTokenCommand(program, surroundings);
  addReviewCommand(program, surroundings);
  addCompletionCommand(program, surroundings);
  return program;
};
