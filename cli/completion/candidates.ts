import type { Argument, Command, Option } from 'commander';
import { findChild } from './find-child.ts';
import type { Candidate } from './find-packages.ts';
import { PackageArgument } from './package-argument.ts';

/** Finds the packages that start with a word. */
type FindPackages = (begun: string) => Promise<readonly Candidate[]>;

/** The position of the cursor in a command line. */
interface Position {
  readonly command: Command;
  /** The flag whose value is next. */
  readonly awaiting: Option | undefined;
  /** The number of arguments before the cursor. */
  readonly given: number;
}

/** Lists the options of a command and of its parents. */
const listOptions = (command: Command): Option[] => [
  ...command.options,
  ...(command.parent ? listOptions(command.parent) : []),
];

const takesValue = (option: Option): boolean => option.required || option.optional;

const advance = (position: Position, word: string): Position => {
  const { command, awaiting, given } = position;
  const isOmitted = awaiting?.optional && word.startsWith('-');
  if (awaiting && !isOmitted) return { ...position, awaiting: undefined };
  const flag = listOptions(command).find(({ long, short }) => word === long || word === short);
  if (flag) return { ...position, awaiting: takesValue(flag) ? flag : undefined };
  if (word.startsWith('-')) return position;
  const child = findChild(command, word);
  return child ? { command: child, awaiting: undefined, given } : { ...position, given: given + 1 };
};

const toCandidates = (words: readonly string[] = []): Candidate[] =>
  words.map((word) => ({ word, meaning: '' }));

const listFlags = (command: Command): Candidate[] => {
  const help = command.createHelp();
  const visible = [...help.visibleOptions(command), ...help.visibleGlobalOptions(command)];
  return visible.flatMap(({ long, description }) =>
    long ? [{ word: long, meaning: description }] : [],
  );
};

/** Returns the argument at the cursor; the last argument of a command may be variadic. */
const findArgument = ({ command, given }: Position): Argument | undefined => {
  const last = command.registeredArguments.at(-1);
  return command.registeredArguments[given] ?? (last?.variadic ? last : undefined);
};

const listCandidates = async (
  position: Position,
  begun: string,
  findPackages: FindPackages,
): Promise<readonly Candidate[]> => {
  const { command, awaiting } = position;
  if (awaiting && !(awaiting.optional && begun.startsWith('-'))) {
    return toCandidates(awaiting.argChoices);
  }
  const [flag = '', value] = begun.split('=', 2);
  if (flag.startsWith('--') && value !== undefined) {
    const option = listOptions(command).find(({ long }) => long === flag);
    return toCandidates(option?.argChoices?.map((choice) => `${flag}=${choice}`));
  }
  if (begun.startsWith('-')) return listFlags(command);
  const argument = findArgument(position);
  if (argument instanceof PackageArgument) return findPackages(begun);
  return [
    ...command.commands.map((child) => ({ word: child.name(), meaning: child.description() })),
    ...toCandidates(argument?.argChoices),
  ];
};

/** Finds the completions of the last word. */
export const findCandidates = async (
  program: Command,
  words: readonly string[],
  findPackages: FindPackages,
): Promise<readonly Candidate[]> => {
  const begun = words.at(-1) ?? '';
  const start: Position = { command: program, awaiting: undefined, given: 0 };
  const position = words.slice(0, -1).reduce(advance, start);
  const candidates = await listCandidates(position, begun, findPackages);
  return candidates.filter(({ word }) => word.startsWith(begun));
};
