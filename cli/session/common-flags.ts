import { type Command, InvalidArgumentError, Option } from 'commander';
import { wholeNumber } from '../../shared/api/schemas/query.ts';
import { UsageError } from '../input/usage-error.ts';
import type { Format } from '../output/result.ts';

/** The flags that every command has. */
export interface CommonFlags {
  readonly url?: string;
  readonly token?: string;
  readonly json?: boolean;
  readonly jsonl?: boolean;
  readonly output?: 'name';
  readonly quiet?: boolean;
  readonly debug?: boolean;
  /** In seconds. */
  readonly timeout?: number;
}

const longestTimeout = 86_400;

const parseTimeout = (text: string): number => {
  const seconds = wholeNumber.test(text) ? Number(text) : 0;
  if (seconds >= 1 && seconds <= longestTimeout) return seconds;
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${longestTimeout}.`);
};

/** Declares the flags that every command has. */
export const declareCommonFlags = (program: Command): Command =>
  program
    .option('--url <url>', 'the base URL of the registry, or the host of one that login has saved')
    .option('--token <token>', 'the token of commands that write; prefer REGISTRY_TOKEN')
    .option('--json', 'write the result as one JSON document')
    .option('--jsonl', 'write the result as JSON, one line for each row')
    .addOption(
      new Option(
        '-o, --output <what>',
        'write only the name of each row, as commands take it',
      ).choices(['name']),
    )
    .option('-q, --quiet', 'write only the result and failures')
    .option('--debug', 'log every request to standard error, without the token')
    .addOption(
      new Option('--timeout <seconds>', 'the time limit of one request')
        .argParser(parseTimeout)
        .default(30),
    );

/**
 * Returns the output format of the flags.
 * @throws {UsageError} for several formats
 */
export const chooseFormat = ({ json, jsonl, output }: CommonFlags): Format => {
  const chosen = [
    ...(json ? ['json'] : []),
    ...(jsonl ? ['jsonl'] : []),
    ...(output ? [output] : []),
  ];
  if (chosen.length > 1) throw new UsageError('Give only one of --json, --jsonl and -o name.');
  return (chosen[0] ?? 'people') as Format;
};
