import { Argument, type Command, Option } from 'commander';
import { type CheckFlags, declareCheck } from './check/options.ts';
import { addCommand, addExamples, openCommandSession, type Surroundings } from './command.ts';
import { findChild } from './completion/find-child.ts';
import { PackageArgument } from './completion/package-argument.ts';
import { completionScripts, type Shell, shells } from './completion/scripts.ts';
import { UsageError } from './input/usage-error.ts';
import { writeResult } from './output/result.ts';
import { applyQuiet } from './output/terminal.ts';
import { declareInput, toOption } from './route/declare-input.ts';
import { flagWords, packageArgument } from './route/flag-words.ts';
import { describeCommand } from './route/route-command.ts';
import { runRoute } from './route/run-route.ts';
import { type CommonFlags, chooseFormat } from './session/common-flags.ts';
import { makeToken, type TokenOwner, tokenScopes } from './session/create-token.ts';
import type { LoginContext } from './session/login.ts';

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
      const session = openCommandSession(command, surroundings, { writes: false });
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
    const terminal = applyQuiet(surroundings.terminal, flags.quiet);
    const { token, entry, advice } = makeToken(flags);
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
  command.addArgument(new PackageArgument('[package]', `only what waits of ${packageArgument}`));
  for (const flag of describeCommand('listPackages').query) {
    if (reviewFilters.includes(flag.name)) command.addOption(toOption(flag));
  }
  command.option('--by <text>', 'who decides, if not the owner of the token');
  const examples = ['review', 'review --ecosystem npm', 'review npm:left-pad@1.3.0'];
  addExamples(command, examples).action(async (text: string | undefined) => {
    const { review } = await import('./review/review.ts');
    const session = openCommandSession(command, surroundings, { writes: true });
    await review(text, command.optsWithGlobals(), session);
  });
};

const addCheckCommand = (program: Command, surroundings: Surroundings): void => {
  const { route, words: checkWords } = describeCommand('checkPackages');
  const command = addCommand(program, checkWords.command).description(route.summary);
  addExamples(declareCheck(command), checkWords.examples).action(async (paths: string[]) => {
    const { check } = await import('./check/check.ts');
    const flags = command.optsWithGlobals<CheckFlags>();
    const session = openCommandSession(command, surroundings, { writes: flags.submit === true });
    await check(paths, flags, session, surroundings.environment);
  });
};

const addApprovedCommand = (program: Command, surroundings: Surroundings): void => {
  const ecosystem = describeCommand('listVersions').query.find(({ name }) => name === 'ecosystem');
  const command = addCommand(program, 'approved')
    .description('Show which versions of a package are approved: the newest of each major version')
    .addArgument(
      new PackageArgument('<package>', 'npm:express, or a package URL such as pkg:npm/express'),
    );
  if (ecosystem) command.addOption(toOption(ecosystem));
  const examples = [
    'approved npm:express',
    'approved pkg:pypi/attrs',
    'approved npm:express --json',
  ];
  addExamples(command, examples).action(async (text: string) => {
    const { showApproved } = await import('./approved/approved.ts');
    const session = openCommandSession(command, surroundings, { writes: false });
    await showApproved(text, command.optsWithGlobals(), session);
  });
};

const addLoginCommands = (program: Command, surroundings: Surroundings): void => {
  const context = (command: Command): LoginContext => ({
    ...surroundings,
    flags: command.optsWithGlobals<CommonFlags>(),
  });
  const entering = addCommand(program, 'login').description(
    'Check which registry and token to use from now on, and keep them',
  );
  addExamples(entering, ['login', 'login --url https://registry.example.com < token.txt']).action(
    async () => {
      const { login } = await import('./session/login.ts');
      const given = context(entering);
      const result = await login(given);
      writeResult(result, surroundings.terminal, { format: chooseFormat(given.flags) });
    },
  );
  const leaving = addCommand(program, 'logout').description('Forget the token that login has kept');
  addExamples(leaving, ['logout']).action(async () => {
    const { logout } = await import('./session/login.ts');
    const given = context(leaving);
    const result = logout(given);
    writeResult(result, surroundings.terminal, { format: chooseFormat(given.flags) });
  });
};

const addMcpCommand = (program: Command, surroundings: Surroundings): void => {
  const command = addCommand(program, 'mcp')
    .description('Answer coding agents by the Model Context Protocol, until they hang up')
    .option('--allow-submit', 'let them submit packages for review, with the token');
  addExamples(command, ['mcp', 'mcp --allow-submit']).action(async () => {
    const { serveAgents } = await import('./mcp/serve.ts');
    const { allowSubmit: submit = false } = command.opts<{ allowSubmit?: boolean }>();
    serveAgents(openCommandSession(command, surroundings, { writes: submit }), { submit });
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

/** Adds the commands that are made of several operations or of none. */
export const addOwnCommands = (program: Command, surroundings: Surroundings): void => {
  addCheckCommand(program, surroundings);
  addApprovedCommand(program, surroundings);
  addSearchCommand(program, surroundings);
  addReviewCommand(program, surroundings);
  addLoginCommands(program, surroundings);
  addTokenCommand(program, surroundings);
  addMcpCommand(program, surroundings);
  addCompletionCommand(program, surroundings);
  addHelpCommand(program);
};
