import { Argument, type Command, InvalidArgumentError, Option } from 'commander';
import { isSegment } from '../shared/client/outgoing.ts';
import { type Flag, isPaged, type RouteCommand } from './route-command.ts';
import { type CommandWords, packageArgument } from './words.ts';

const pathArgument = (text: string): string => {
  if (!isSegment(text)) throw new InvalidArgumentError('It names nothing.');
  return text;
};

const wholeNumber = (text: string): number => {
  if (!/^[0-9]+$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
};

const longestTimeout = 86_400;

export const timeoutSeconds = (text: string): number => {
  const seconds = /^[0-9]+$/.test(text) ? Number(text) : 0;
  if (seconds >= 1 && seconds <= longestTimeout) return seconds;
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${longestTimeout}.`);
};

export const optionOf = ({ typed, kind, choices, nullable, meaning }: Flag): Option => {
  const option = new Option(kind === 'flag' ? typed : `${typed} <${kind}>`, meaning);
  if (choices) option.choices(nullable ? [...choices, 'null'] : choices);
  if (kind === 'number') option.argParser(wholeNumber);
  return option;
};

/** A flag that may be true or false also has its opposite, which help need not show for each. */
const addFlag = (command: Command, flag: Flag): void => {
  command.addOption(optionOf(flag));
  if (flag.kind !== 'flag') return;
  command.addOption(new Option(flag.typed.replace(/^--/, '--no-'), 'the opposite').hideHelp());
};

const fileWords = 'take the request from a JSON file, - for standard input; flags go before it';

const addBodySource = (command: Command, { body }: CommandWords): void => {
  if (body === 'file argument') {
    command.addArgument(new Argument('<file>', 'a file with JSON, - for standard input'));
  } else if (body) command.option('--file <file>', fileWords);
  if (body === 'manifest or file option') {
    const manifests = 'a package.json, pyproject.toml or pom.xml, or its folder';
    command.option('--from <path>', `take what there is from ${manifests}`);
  }
};

/** Declares what the command takes: path parameters, then flags for parameters and fields. */
export const declare = (command: Command, described: RouteCommand): void => {
  const { route, words, query, body } = described;
  for (const name of described.arguments) {
    const meaning = words.arguments?.[name] ?? packageArgument;
    command.addArgument(new Argument(`<${name}>`, meaning).argParser(pathArgument));
  }
  addBodySource(command, words);
  for (const flag of [...query, ...body]) addFlag(command, flag);
  if (isPaged(described)) command.option('--all', 'read every page');
  if (!route.protected) return;
  command.option('--dry-run', 'show the request and send nothing');
  command.option('--idempotency-key <key>', 'the same request with it is carried out only once');
};
