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

const flagsOf = (command: Command): Candidate[] => {
  const help = command.createHelp();
  const shown = [...help.visibleOptions(command), ...help.visibleGlobalOptions(command)];
  return [
    ...shown.flatMap(({ long, description }) =>
      long ? [{ word: long, meaning: description }] : [],
    ),
    ...(command.parent ? [] : [{ word: '--version', meaning: 'show the version' }]),
  ];
};

/** Bash makes three words of `--flag=value`. */
const withoutEquals = (words: readonly string[]): string[] =>
  words.flatMap((word, at) => {
    if (word !== '=' || !words[at - 1]?.startsWith('--')) return [word];
    return at === words.length - 1 ? [''] : [];
  });

const possible = ({ command, awaiting, given }: Position, begun: string): Candidate[] => {
  if (awaiting) return wordsAlone(awaiting.argChoices);
  const [flag = '', value] = begun.split('=', 2);
  if (value !== undefined) {
    const option = optionsOf(command).find(({ long }) => long === flag);
    return wordsAlone(option?.argChoices?.map((choice) => `${flag}=${choice}`));
  }
  if (begun.startsWith('-')) return flagsOf(command);
  return [
    ...command.commands.map((child) => ({ word: child.name(), meaning: child.description() })),
    ...wordsAlone(command.registeredArguments[given]?.argChoices),
  ];
};

/** What could replace the last of these words. Package names are not among it: that would ask the registry. */
export const candidates = (program: Command, typed: readonly string[]): Candidate[] => {
  const words = withoutEquals(typed);
  const begun = words.at(-1) ?? '';
  const start: Position = { command: program, awaiting: undefined, given: 0 };
  const position = words.slice(0, -1).reduce(after, start);
  return possible(position, begun).filter(({ word }) => word.startsWith(begun));
};
