import { Argument, InvalidArgumentError, Option } from 'commander';
import type { CliCommand } from '../../framework/command.ts';
import { findCheckOption } from '../check/options.ts';
import type { RequestFlags } from './run-request.ts';

/** @throws {InvalidArgumentError} for text that is no day or time */
const parseBefore = (text: string): Date => {
  const time = new Date(text);
  if (!Number.isNaN(time.getTime()) && /^\d{4}-\d\d-\d\d/.test(text)) return time;
  throw new InvalidArgumentError('Give a day such as 2026-11-01.');
};

/** @throws {InvalidArgumentError} for text that is no address */
const parseIndex = (text: string): string => {
  const address = URL.parse(text);
  if (address && /^https?:$/.test(address.protocol)) return address.href;
  throw new InvalidArgumentError('Give an address such as https://mirror.example.com/npm/.');
};

export const request: CliCommand = {
  name: 'request',
  summary: 'Request packages with all that they bring: resolve, submit, and wait for the rules',
  examples: [
    'request express@5 --reason "The new API needs it"',
    'request "pypi:requests>=2.32" --dry-run',
    'request maven:org.slf4j:slf4j-api@2.0.17',
  ],
  arguments: [
    new Argument(
      '<package...>',
      'packages of one ecosystem, with a version or a range: express@5, pypi:requests>=2.32, maven:org.slf4j:slf4j-api@2.0.17',
    ),
  ],
  options: [
    new Option('-r, --reason <text>', 'the justification of the submissions'),
    findCheckOption('batch'),
    findCheckOption('wait').default(10 * 60_000, '10m'),
    new Option(
      '--before <day>',
      'only versions from before this day; what the rules require unless given',
    ).argParser(parseBefore),
    new Option('--index <url>', "a package index in place of the package manager's own").argParser(
      parseIndex,
    ),
    new Option('--dry-run', 'show the tree, and submit nothing'),
    new Option('--yes', 'submit without a question'),
  ],
  run: async ({ arguments: texts, flags }, { openSession }) => {
    const { runRequest } = await import('./run-request.ts');
    await runRequest(texts, flags as RequestFlags, openSession({ writes: !flags['dryRun'] }));
  },
};
