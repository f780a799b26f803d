import { Argument, type Command, InvalidArgumentError, Option } from 'commander';
import { isPathSegment } from '../../shared/api/client/outgoing.ts';
import { takesIdempotencyKey } from '../../shared/api/route-rules.ts';
import { wholeNumber } from '../../shared/api/schemas/query.ts';
import { PackageArgument } from '../completion/package-argument.ts';
import type { CommandWords, TableWords } from './command-words.ts';
import { manyArgument, packageArgument } from './flag-words.ts';
import { type Flag, isPaged, type RouteCommand } from './route-command.ts';

const parsePathArgument = (text: string): string => {
  if (!isPathSegment(text)) throw new InvalidArgumentError('It names nothing.');
  return text;
};

/** A value that may be given several times, with those before it. */
const addTo =
  (read: (text: string) => string) =>
  (text: string, before: readonly string[] = []): readonly string[] => [...before, read(text)];

const parseWholeNumber = (text: string): number => {
  if (!wholeNumber.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
};

/** A list of words with commas between, added to the words that were given before. */
const addWords =
  (typed: string, choices: readonly string[]) =>
  (text: string, before: unknown): readonly string[] => {
    const words = text.split(',').map((word) => word.trim());
    const unknown = words.find((word) => !choices.includes(word));
    if (unknown === undefined) {
      return [...new Set([...(Array.isArray(before) ? before : []), ...words])];
    }
    throw new InvalidArgumentError(
      `"${unknown}" is none of ${choices.join(', ')}. A package goes before ${typed}.`,
    );
  };

/** What follows the name of a flag: nothing, a value, or a list that may be left out. */
const describeValue = ({ kind, choices }: Flag): string => {
  if (kind !== 'flag') return ` <${kind}>`;
  return choices ? ' [list]' : '';
};

/** The option by which commander knows a flag. */
export const toOption = (flag: Flag): Option => {
  const { typed, short, kind, choices, nullable, meaning, read } = flag;
  const names = short ? `${short}, ${typed}` : typed;
  const option = new Option(`${names}${describeValue(flag)}`, meaning);
  if (choices) option.choices(nullable ? [...choices, 'null'] : choices);
  if (choices && kind === 'flag') option.argParser(addWords(typed, choices));
  if (kind === 'number') option.argParser(parseWholeNumber);
  if (read) option.argParser(read);
  return option;
};

/** A flag that may be true or false also has its opposite, which help need not show for each. */
const addFlag = (command: Command, flag: Flag): void => {
  command.addOption(toOption(flag));
  if (flag.kind !== 'flag') return;
  command.addOption(new Option(flag.typed.replace(/^--/, '--no-'), 'the opposite').hideHelp());
};

const toColumnsOption = ({ names, byDefault }: TableWords): Option =>
  new Option('--columns <names>', `what the table shows, with commas between: ${names.join(', ')}`)
    .argParser((text) => {
      const chosen = text.split(',').map((name) => name.trim());
      const unknown = chosen.find((name) => !names.includes(name));
      if (unknown === undefined) return chosen;
      throw new InvalidArgumentError(`There is no column "${unknown}": ${names.join(', ')}.`);
    })
    .default(undefined, byDefault.join(','));

const fileWords = 'take the request from a JSON file, - for standard input; flags go before it';

const packagesWords =
  'packages from a file: npm:left-pad@1.3.0 or a package URL a line, or JSON; - for standard input';

const addBodySource = (command: Command, { body, many }: CommandWords): void => {
  if (many) command.option('-f, --file <file>', packagesWords, addTo(String));
  if (body === 'file argument') {
    command.addArgument(new Argument('<file>', 'a file with JSON, - for standard input'));
  } else if (body === 'file option') command.option('--file <file>', fileWords);
  if (body === 'manifest option') {
    const manifests = 'a package.json, pyproject.toml or pom.xml, or its folder';
    command.option('--from <path>', `take what there is from ${manifests}`);
  }
};

/** Declares what a route's command takes: its path parameters, then flags for its parameters and fields. */
export const declareInput = (command: Command, described: RouteCommand): void => {
  const { route, words, query, body } = described;
  const takesMany = words.many !== undefined || words.several !== undefined;
  if (takesMany) {
    const [typed, meaning] = words.many
      ? ['[package...]', manyArgument]
      : ['<package...>', `${packageArgument}; - for one a line on standard input`];
    command.addArgument(new PackageArgument(typed, meaning).argParser(addTo(parsePathArgument)));
  }
  for (const name of takesMany ? [] : described.arguments) {
    const meaning = words.arguments?.[name];
    const typed = words.bulk ? `[${name}]` : `<${name}>`;
    const argument =
      meaning === undefined
        ? new PackageArgument(typed, packageArgument)
        : new Argument(typed, meaning);
    command.addArgument(argument.argParser(parsePathArgument));
  }
  if (words.bodyPackage !== undefined) {
    const argument = new PackageArgument('[package]', words.bodyPackage);
    command.addArgument(argument.argParser(parsePathArgument));
  }
  addBodySource(command, words);
  for (const flag of [...query, ...body]) addFlag(command, flag);
  if (words.judge) {
    const { flag, choices, meaning } = words.judge;
    command.addOption(new Option(flag, meaning).choices(choices));
  }
  for (const [typed, meaning] of Object.values(words.bulk?.options ?? {})) {
    command.option(typed, meaning);
  }
  if (words.table) command.addOption(toColumnsOption(words.table));
  if (isPaged(described)) command.option('-a, --all', 'read every page');
  if (words.follow) command.option('-f, --follow', 'go on with what happens, until Ctrl-C');
  if (!takesIdempotencyKey(route)) return;
  command.option('--dry-run', 'show the request and send nothing');
  command.option('--idempotency-key <key>', 'the same request with it is carried out only once');
};
