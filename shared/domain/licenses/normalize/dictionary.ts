import { spdxLicenses } from '../catalogue.ts';
import { isVersion, splitWords } from './license-words.ts';
import { bareNames, exceptions, families, fillers, fullNames, type NameRow } from './names.ts';

/**
 * Meaning of a name of one or more words. `family`: licenses of several versions; without a version, the name may mean
 * any of them. `bare`: a name that is ignored among words of other kinds.
 */
export type Meaning =
  | { readonly kind: 'licenses' | 'family' | 'bare'; readonly licenses: readonly string[] }
  | { readonly kind: 'exception'; readonly exception: string }
  | { readonly kind: 'filler' };

type Dictionary = Map<string, Meaning>;

const toPhrase = (name: string): string => splitWords(name).join(' ');

/** Adds an entry unless the phrase exists. Manual entries are added first and take precedence over SPDX's titles. */
const add = (dictionary: Dictionary, phrase: string, meaning: Meaning): void => {
  if (!dictionary.has(phrase)) dictionary.set(phrase, meaning);
};

const isGnu = (id: string): boolean => /^(?:A|L)?GPL-|^GFDL-/.test(id);

const dropVersion = (phrase: string): string =>
  phrase
    .split(' ')
    .filter((word) => !isVersion(word))
    .join(' ');

/**
 * Adds a name from SPDX's list. Single words are skipped, since they may be vendor names; manual entries cover them.
 */
const addSpdxName = (dictionary: Dictionary, phrase: string, meaning: Meaning): void => {
  if (!phrase.includes(' ')) return;
  add(dictionary, phrase, meaning);
  // Creative Commons omits its own name in the names of its licenses.
  if (/^cc by (?:nc|nd|sa)/.test(phrase)) add(dictionary, phrase.slice('cc '.length), meaning);
};

/** Adds SPDX's identifiers and titles, in full and without versions. */
const addSpdxNames = (dictionary: Dictionary): void => {
  const byFamily = new Map<string, Set<string>>();
  for (const { name, title } of spdxLicenses) {
    for (const phrase of [name, title].map(toPhrase)) {
      addSpdxName(dictionary, phrase, { kind: 'licenses', licenses: [name] });
      if (isGnu(name)) continue;
      const family = dropVersion(phrase);
      byFamily.set(family, (byFamily.get(family) ?? new Set()).add(name));
    }
  }
  for (const [family, licenses] of byFamily) {
    addSpdxName(dictionary, family, { kind: 'family', licenses: [...licenses] });
  }
};

const addRow = (
  dictionary: Dictionary,
  [meant, ...names]: NameRow,
  toMeaning: (meant: string) => Meaning,
): void => {
  const meaning = toMeaning(meant);
  for (const name of names.flatMap((some) => some.split('|'))) {
    add(dictionary, name, meaning);
    add(dictionary, `${name} license`, meaning);
  }
};

const makeDictionary = (): Dictionary => {
  const dictionary: Dictionary = new Map();
  for (const row of families) {
    addRow(dictionary, row, (ids) => ({ kind: 'family', licenses: ids.split(' ') }));
  }
  for (const row of fullNames) {
    addRow(dictionary, row, (ids) => ({ kind: 'licenses', licenses: ids.split(' ') }));
  }
  for (const row of bareNames) {
    addRow(dictionary, row, (ids) => ({ kind: 'bare', licenses: ids.split(' ') }));
  }
  for (const row of exceptions) {
    addRow(dictionary, row, (exception) => ({ kind: 'exception', exception }));
  }
  addRow(dictionary, fillers, () => ({ kind: 'filler' }));
  addSpdxNames(dictionary);
  return dictionary;
};

/** Shortest joined name, in letters. Shorter ones may be other words. */
const shortestJoined = 6;

/** Returns the multi-word names without blanks, such as `ServerSidePublicLicense`. */
const joinWords = (dictionary: Dictionary): Dictionary => {
  const joined: Dictionary = new Map();
  for (const [phrase, meaning] of dictionary) {
    const word = phrase.replaceAll(' ', '');
    if ('licenses' in meaning && word !== phrase && word.length >= shortestJoined) {
      add(joined, word, meaning);
    }
  }
  return joined;
};

let made:
  | { readonly dictionary: Dictionary; readonly joined: Dictionary; readonly mostWords: number }
  | undefined;

/** Returns the dictionary. Built at the first use, since most licenses are identifiers and do not need it. */
const openDictionary = () => {
  if (!made) {
    const dictionary = makeDictionary();
    const lengths = [...dictionary.keys()].map((phrase) => phrase.split(' ').length);
    made = { dictionary, joined: joinWords(dictionary), mostWords: Math.max(...lengths) };
  }
  return made;
};

/** Returns every name with the licenses that it may mean. */
export const listNames = (): (readonly [name: string, licenses: readonly string[]])[] =>
  [...openDictionary().dictionary].flatMap(([name, meaning]) =>
    'licenses' in meaning ? [[name, meaning.licenses] as const] : [],
  );

/** Returns the longest name that begins at word `at`, with its length in words. Returns undefined if none does. */
export const findName = (
  words: readonly string[],
  at: number,
): { readonly meaning: Meaning; readonly length: number } | undefined => {
  const { dictionary, joined, mostWords } = openDictionary();
  for (let length = Math.min(mostWords, words.length - at); length > 0; length -= 1) {
    const meaning = dictionary.get(words.slice(at, at + length).join(' '));
    if (meaning) return { meaning, length };
  }
  const meaning = joined.get(words[at] ?? '');
  return meaning && { meaning, length: 1 };
};
