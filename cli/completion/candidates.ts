import type { Command, Option } from 'commander';
import { findChild } from './find-child.ts';

/** A word that could stand next, and what it means. */
interface Candidate {
  readonly word: string;
  readonly meaning: string;
}

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
  if (awaiting) return { ...position, awaiting: undefined };
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

/** Bash makes three words of `--flag=value`: the sign alone says nothing. */
const dropEquals = (words: readonly string[]): string[] =>
  words.flatMap((word, at) => {
    if (word !== '=' || !words[at - 1]?.startsWith('--')) return [word];
    return at === words.length - 1 ? [''] : [];
  });

const listCandidates = ({ command, awaiting, given }: Position, begun: string): Candidate[] => {
  if (awaiting) return toCandidates(awaiting.argChoices);
  const [flag = '', value] = begun.split('=', 2);
  if (value !== undefined) {
    const option = listOptions(command).find(({ long }) => long === flag);
    return toCandidates(option?.argChoices?.map((choice) => `${flag}=${choice}`));
  }
  if (begun.startsWith('-')) return listFlags(command);
  return [
    ...command.commands.map((child) => ({ word: child.name(), meaning: child.description() })),
    ...toCandidates(command.registeredArguments[given]?.argChoices),
  ];
};

/** Finds what could replace the last of these words. Package names are not among it: that would ask the registry. */
export const findCandidates = (program: Command, typed: readonly string[]): Candidate[] => {
  const words = dropEquals(typed);
  const begun = words.at(-1) ?? '';
  const start: Position = { command: program, awaiting: undefined, given: 0 };
  const position = words.slice(0, -1).reduce(advance, start);
  return listCandidates(position, begun).filter(({ word }) => word.startsWith(begun));
};
