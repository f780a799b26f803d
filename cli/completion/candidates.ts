import type { Command, Option } from 'commander';

/** A word that could stand next, and what it means. */
export interface Candidate {
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

const optionsOf = (command: Command): Option[] => [
  ...command.options,
  ...(command.parent ? optionsOf(command.parent) : []),
];

const takesValue = (option: Option): boolean => option.required || option.optional;

const after = (position: Position, word: string): Position => {
  const { command, awaiting, given } = position;
  if (awaiting) return { ...position, awaiting: undefined };
  const flag = optionsOf(command).find(({ long, short }) => word === long || word === short);
  if (flag) return { ...position, awaiting: takesValue(flag) ? flag : undefined };
  if (word.startsWith('-')) return position;
  const child = command.commands.find((candidate) => candidate.name() === word);
  return child ? { command: child, awaiting: undefined, given } : { ...position, given: given + 1 };
};

const wordsAlone = (words: readonly string[] = []): Candidate[] =>
  words.map((word) => ({ word, meaning: '' }));

const possible = ({ command, awaiting, given }: Position, begun: string): Candidate[] => {
  if (awaiting) return wordsAlone(awaiting.argChoices);
  if (begun.startsWith('-')) {
    return optionsOf(command).flatMap(({ long, description, hidden }) =>
      long && !hidden ? [{ word: long, meaning: description }] : [],
    );
  }
  return [
    ...command.commands.map((child) => ({ word: child.name(), meaning: child.description() })),
    ...wordsAlone(command.registeredArguments[given]?.argChoices),
  ];
};

/** What could replace the last of these words. Package names are not among it: that would ask the registry. */
export const candidates = (program: Command, words: readonly string[]): Candidate[] => {
  const begun = words.at(-1) ?? '';
  const start: Position = { command: program, awaiting: undefined, given: 0 };
  const position = words.slice(0, -1).reduce(after, start);
  return possible(position, begun).filter(({ word }) => word.startsWith(begun));
};
