import type { Argument, Command, Option } from 'commander';
import { findChild } from './find-child.ts';
import type { Candidate } from './find-packages.ts';
import { PackageArgument } from './package-argument.ts';

/** Finds the packages that a word could become. */
type FindPackages = (begun: string) => Promise<readonly Candidate[]>;

/** Where a command line has come to. */
interface Position {
  readonly command: Command;
  /** The flag whose value comes next. */
  readonly awaiting: Option | undefined;
  /** How many arguments stand there already. */
  readonly given: number;
}

/** The options of a command and of all above it. */
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

/** The argument that stands there; the last one of a command may be given several times. */
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

/** Finds what could replace the last of these words. */
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
