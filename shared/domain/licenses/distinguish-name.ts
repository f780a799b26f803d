import { distance } from 'fastest-levenshtein';
import { knownLicenses } from './catalogue.ts';
import { listNames } from './normalize/dictionary.ts';
import { isVersion, splitWords } from './normalize/license-words.ts';
import { fillers } from './normalize/names.ts';

const split = (words: string): string[] => words.split(' ');

/** Words without meaning for the recognition of a license. */
const idleWords: ReadonlySet<string> = new Set([
  ...fillers.flatMap((names) => names.split('|')),
  ...split('agreement and copy details file for found full in or read see text version website'),
]);

/** Words in the names of many licenses. They do not identify a license alone. */
const commonWords: ReadonlySet<string> = new Set(
  split('code foundation free general open project public software source'),
);

/** True if the words differ only in two swapped neighbouring letters. */
const isSwapped = (word: string, other: string): boolean => {
  const at = [...word].findIndex((letter, place) => letter !== other[place]);
  const swapped = `${word.slice(0, at)}${word[at + 1]}${word[at]}${word.slice(at + 2)}`;
  return at !== -1 && other.length > 2 && swapped === other;
};

const mostEdits = 2;

/** Returns the number of typos between two words, or Infinity if they are more likely different words. */
const countWordSlips = (word: string, other: string): number => {
  if (word === other) return 0;
  if (isSwapped(word, other)) return 1;
  const allowed = Math.min(mostEdits, Math.floor((Math.min(word.length, other.length) - 1) / 3));
  if (word[0] !== other[0] || Math.abs(word.length - other.length) > allowed) return Infinity;
  const edits = distance(word, other);
  return edits <= allowed ? edits : Infinity;
};

/** Returns the number of typos between a text and a name, or Infinity if it is more likely another name. */
export const countSlips = (text: string, name: string): number => {
  const [words, others] = [split(text), split(name)];
  if (words.length === others.length) {
    return words.reduce((sum, word, at) => sum + countWordSlips(word, others[at] ?? ''), 0);
  }
  return words.join('') === others.join('') ? 1 : Infinity;
};

/** Parts of a text that distinguish one license from another. */
export interface Distinction {
  /** Words without idle and common ones. If no others exist, the common ones. */
  readonly core: string;
  /** All words except the versions. */
  readonly full: string;
  readonly common: readonly string[];
  /** Version numbers in their order. */
  readonly versions: string;
}

const toDistinction = (words: readonly string[]): Distinction => {
  const names = words.filter((word) => !isVersion(word));
  const significant = names.filter((word) => !idleWords.has(word));
  const own = significant.filter((word) => !commonWords.has(word));
  return {
    core: (own.length > 0 ? own : significant).join(' '),
    full: names.join(' '),
    common: significant.filter((word) => commonWords.has(word)),
    versions: words.filter(isVersion).join(' '),
  };
};

/** Splits a text into words, and numbers from words: `3clause` becomes `3` and `clause`. */
const splitParts = (text: string): string[] =>
  splitWords(text).flatMap((word) => word.match(/\d+(?:\.\d+)*|[^\d.]+/g) ?? []);

/** A name and the licenses that it may mean. */
export interface Spelling extends Distinction {
  readonly licenses: readonly string[];
  /** True for an SPDX identifier, which must match in full. */
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

/**
 * Returns all names of licenses and the set of their words. Computed at the first use, since most licenses are found
 * without it.
 */
export const openSpellings = () => {
  if (!made) {
    const spellings = makeSpellings();
    const known = new Set(spellings.flatMap(({ full }) => split(full)));
    made = { spellings, known };
  }
  return made;
};

/** Shortest word whose typos are corrected. Shorter words are too easily confused. */
const shortestCorrected = 5;
const correctable = [...idleWords, ...commonWords].filter(
  (word) => word.length >= shortestCorrected,
);

/** Corrects typos in idle and common words: `Lisence` becomes `license`. Words of license names stay as they are. */
const correctWord = (word: string, known: ReadonlySet<string>): string =>
  word.length < shortestCorrected || known.has(word)
    ? word
    : (correctable.find((other) => countWordSlips(word, other) < Infinity) ?? word);

/** Normalizes version numbers: `2.O` and `2,0` become `2.0`. Removes a `v` before a version. */
const correctNumbers = (text: string): string =>
  text
    .replace(/(?<=\d)[.,]([\do])/gi, (_, digit) => `.${digit === 'o' || digit === 'O' ? 0 : digit}`)
    .replace(/(?<=[a-z]{2})v(?=\d)/gi, ' ');

/** Returns the distinguishing parts of a text that a person typed, with corrected typos. */
export const distinguishText = (text: string): Distinction => {
  const { known } = openSpellings();
  return toDistinction(splitParts(correctNumbers(text)).map((word) => correctWord(word, known)));
};
