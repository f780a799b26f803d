import { Command, Help, Option } from 'commander';
import { commandGroups } from './commands/commands.ts';
import type { CliCommand, CommandContext, Surroundings } from './framework/command.ts';
import { declareCommonFlags } from './session/common-flags.ts';
import { openSession } from './session/session.ts';

/** The summaries of commands with commands of their own, such as `scan` of `scan show`. */
const parentSummaries: Readonly<Record<string, string>> = {
  export: 'Export evidence, decisions, risk acceptances and SBOMs as files, for auditors',
  license: 'Find licenses and decide on them',
  policy: 'Show, preview and apply the rules that decide routine versions',
  scan: 'Show, upload and dismiss security scans',
  token: 'Create tokens for commands that write',
  vulnerability: 'List vulnerabilities, and accept their risks',
};

/** Adds an empty command below its parents. */
const addEmptyCommand = (program: Command, name: string): Command => {
  const [last = '', ...groups] = name.split(' ').reverse();
  const parent = groups.reduceRight((above, group) => {
    const known = above.commands.find((command) => command.name() === group);
    if (known) return known;
    return above
      .command(group)
      .description(parentSummaries[group] ?? '')
      .helpCommand(false);
  }, program);
  return parent.command(last);
};

const formatExamples = (examples: readonly string[]): string =>
  ['', 'Examples:', ...examples.map((example) => `  registry ${example}`)].join('\n');

const addCommand = (program: Command, definition: CliCommand, surroundings: Surroundings): void => {
  const { name, aliases = [], summary, examples, arguments: parameters, options } = definition;
  const command = addEmptyCommand(program, name);
  command.aliases(aliases).description(summary).addHelpText('after', formatExamples(examples));
  for (const parameter of parameters) command.addArgument(parameter);
  for (const option of options) command.addOption(option);
  command.action(async () => {
    const flags = command.optsWithGlobals();
    const { environment, terminal, onSession } = surroundings;
    const context: CommandContext = {
      ...surroundings,
      program,
      openSession: ({ writes }) => {
        const session = openSession({ flags, environment, terminal, writes });
        onSession(session);
        return session;
      },
    };
    await definition.run({ arguments: command.processedArgs.flat(), flags }, context);
  });
};

const introduction = `Submits, reviews and looks up packages in a package registry.

Name the registry by --url, REGISTRY_URL, or {"url": "https://…"} in`;

/** Shown for the program alone, as a command may have a flag `--version`. */
const versionOption = new Option('-V, --version', 'show the version');

/** Lists the options that help and suggestions show. */
const visibleOptions = (command: Command): Option[] => {
  const options = new Help().visibleOptions(command);
  return command.parent ? options : [...options, versionOption];
};

const createProgram = ({ environment, terminal }: Surroundings): Command => {
  const program = new Command('registry')
    .description(`${introduction} ${environment.configFile}.`)
    .helpOption('-h, --help', 'show commands, flags and examples')
    .helpCommand(false)
    .exitOverride()
    .configureHelp({ showGlobalOptions: true, sortSubcommands: false, visibleOptions })
    .configureOutput({
      writeOut: terminal.out.write,
      writeErr: terminal.err.write,
      // reportFailure writes these errors, as it does every other.
      outputError: () => {},
    });
  return declareCommonFlags(program).addHelpText(
    'after',
    '\nregistry COMMAND --help shows the flags and examples of a command.',
  );
};

/** Builds the command line with all its commands. */
export const buildProgram = (surroundings: Surroundings): Command => {
  const program = createProgram(surroundings);
  for (const { heading, commands } of commandGroups) {
    program.commandsGroup(`${heading}:`);
    for (const command of commands) addCommand(program, command, surroundings);
  }
  return program;
};
