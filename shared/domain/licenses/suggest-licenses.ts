import { distance } from 'fastest-levenshtein';
import { knownLicenses } from './catalogue.ts';
import { findCurrentLicense } from './license-id.ts';
import { listNames } from './reading/dictionary.ts';
import { readWords } from './reading/read-words.ts';
import { splitWords } from './reading/words.ts';

const mostSuggested = 3;
/** Longer names are no slips of the pen, and would take long to compare. */
const maxLength = 64;

const sortLetters = (text: string): string => [...text].sort().join('');

/** At most every fourth character is another one, or one in any case, or the letters are in another order. */
const isClose = (name: string, other: string, edits: number): boolean =>
  edits <= Math.max(1, Math.floor(name.length / 4)) ||
  (edits === 2 && sortLetters(name) === sortLetters(other));

/** What licenses are called, in words, and which ones are. */
const listSpellings = (): (readonly [name: string, licenses: readonly string[]])[] => [
  ...knownLicenses.map(({ name }) => [splitWords(name).join(' '), [name]] as const),
  ...listNames(),
];

const findClose = (words: string): string[] =>
  words === '' || words.length > maxLength
    ? []
    : listSpellings()
        .map(([name, licenses]) => ({ name, licenses, edits: distance(words, name) }))
        .filter(({ name, edits }) => isClose(words, name, edits))
        .sort((a, b) => a.edits - b.edits)
        .flatMap(({ licenses }) => licenses);

/** Finds what somebody may have meant by a license that is not known: what the text names, then what is spelled alike. */
export const suggestLicenses = (text: string): string[] => {
  const named = readWords(text).names.flatMap(({ licenses }) => licenses);
  const meant = [...named, ...findClose(splitWords(text).join(' '))];
  return [...new Set(meant.map((license) => findCurrentLicense(license) ?? license))].slice(
    0,
    mostSuggested,
  );
};
