import { distance } from 'fastest-levenshtein';
import { knownLicenses } from './catalogue.ts';
import { listNames } from './normalize/dictionary.ts';
import { isVersion, splitWords } from './normalize/license-words.ts';
import { fillers } from './normalize/names.ts';

const split = (words: string): string[] => words.split(' ');

/** Words that any license text may have. */
const idleWords: ReadonlySet<string> = new Set([
  ...fillers.flatMap((names) => names.split('|')),
  ...split('agreement and copy details file for found full in or read see text version website'),
]);

/** Words that many licenses have in their names, and by which alone none is recognised. */
const commonWords: ReadonlySet<string> = new Set(
  split('code foundation free general open project public software source'),
);

/** Whether two neighbours changed places, and nothing else. */
const isSwapped = (word: string, other: string): boolean => {
  const at = [...word].findIndex((letter, place) => letter !== other[place]);
  const swapped = `${word.slice(0, at)}${word[at + 1]}${word[at]}${word.slice(at + 2)}`;
  return at !== -1 && other.length > 2 && swapped === other;
};

const mostEdits = 2;

/** How many slips of the pen lie between two words; infinitely many where they are more likely different words. */
const countWordSlips = (word: string, other: string): number => {
  if (word === other) return 0;
  if (isSwapped(word, other)) return 1;
  const allowed = Math.min(mostEdits, Math.floor((Math.min(word.length, other.length) - 1) / 3));
  if (word[0] !== other[0] || Math.abs(word.length - other.length) > allowed) return Infinity;
  const edits = distance(word, other);
  return edits <= allowed ? edits : Infinity;
};

/** How many slips of the pen lie between a text and a name; infinitely many where it is more likely another name. */
export const countSlips = (text: string, name: string): number => {
  const [words, others] = [split(text), split(name)];
  if (words.length === others.length) {
    return words.reduce((sum, word, at) => sum + countWordSlips(word, others[at] ?? ''), 0);
  }
  return words.join('') === others.join('') ? 1 : Infinity;
};

/** The parts of a text by which one license is told from another. */
export interface Distinction {
  /** Its words without idle and common ones; with the common ones if there are no others. */
  readonly core: string;
  /** All its words but the versions. */
  readonly full: string;
  readonly common: readonly string[];
  /** Its numbers, in their order. */
  readonly versions: string;
}

const toDistinction = (words: readonly string[]): Distinction => {
  const names = words.filter((word) => !isVersion(word));
  const telling = names.filter((word) => !idleWords.has(word));
  const own = telling.filter((word) => !commonWords.has(word));
  return {
    core: (own.length > 0 ? own : telling).join(' '),
    full: names.join(' '),
    common: telling.filter((word) => commonWords.has(word)),
    versions: words.filter(isVersion).join(' '),
  };
};

/** `3clause` is a number and a word. */
const splitParts = (text: string): string[] =>
  splitWords(text).flatMap((word) => word.match(/\d+(?:\.\d+)*|[^\d.]+/g) ?? []);

/** A name that a license has, and the licenses that it may mean. */
export interface Spelling extends Distinction {
  readonly licenses: readonly string[];
  /** Whether it is an identifier, which is complete as it is. */
  readonly isId: boolean;
}

const makeSpellings = (): Spelling[] => [
  ...knownLicenses.map(({ name }) => ({
    ...toDistinction(splitParts(name)),
    licenses: [name],
    isId: true,
  })),
  ...listNames().map(([name, licenses]) => ({
    ...toDistinction(splitParts(name)),
    licenses,
    isId: false,
  })),
];

let made:
  | { readonly spellings: readonly Spelling[]; readonly known: ReadonlySet<string> }
  | undefined;

/** All that licenses are called, and the words of it. Made when a license is first not found. */
export const openSpellings = () => {
  if (!made) {
    const spellings = makeSpellings();
    const known = new Set(spellings.flatMap(({ full }) => split(full)));
    made = { spellings, known };
  }
  return made;
};

/** Shorter words are too easily taken for others. */
const shortestMended = 5;
const mendable = [...idleWords, ...commonWords].filter((word) => word.length >= shortestMended);

/** `Lisence` is a license, but no word of a license's name is taken for another. */
const mendWord = (word: string, known: ReadonlySet<string>): string =>
  word.length < shortestMended || known.has(word)
    ? word
    : (mendable.find((other) => countWordSlips(word, other) < Infinity) ?? word);

/** `2.O` and `2,0` are 2.0, and a `v` before a version says no more than it. */
const mendNumbers = (text: string): string =>
  text
    .replace(/(?<=\d)[.,]([\do])/gi, (_, digit) => `.${digit === 'o' || digit === 'O' ? 0 : digit}`)
    .replace(/(?<=[a-z]{2})v(?=\d)/gi, ' ');

/** What a text that somebody typed is recognised by. */
export const distinguishText = (text: string): Distinction => {
  const { known } = openSpellings();
  return toDistinction(splitParts(mendNumbers(text)).map((word) => mendWord(word, known)));
};
