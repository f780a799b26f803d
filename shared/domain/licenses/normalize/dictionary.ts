import { spdxLicenses } from '../catalogue.ts';
import { isVersion, splitWords } from './license-words.ts';
import { bareNames, exceptions, families, fillers, fullNames, type NameRow } from './names.ts';

/**
 * What a name of one or more words says. `family` waits for a version; without one, any of its licenses may be meant.
 * `bare` is such a name that means nothing among words of other kinds.
 */
export type Meaning =
  | { readonly kind: 'licenses' | 'family' | 'bare'; readonly licenses: readonly string[] }
  | { readonly kind: 'exception'; readonly exception: string }
  | { readonly kind: 'filler' };

type Dictionary = Map<string, Meaning>;

const toPhrase = (name: string): string => splitWords(name).join(' ');

/** The first entry stays: what was typed in goes before what follows from SPDX's titles. */
const add = (dictionary: Dictionary, phrase: string, meaning: Meaning): void => {
  if (!dictionary.has(phrase)) dictionary.set(phrase, meaning);
};

const isGnu = (id: string): boolean => /^(?:A|L)?GPL-|^GFDL-/.test(id);

const dropVersion = (phrase: string): string =>
  phrase
    .split(' ')
    .filter((word) => !isVersion(word))
    .join(' ');

/** A single word is only typed in: it may be a vendor's name. */
const addSpdxName = (dictionary: Dictionary, phrase: string, meaning: Meaning): void => {
  if (!phrase.includes(' ')) return;
  add(dictionary, phrase, meaning);
  // Creative Commons leaves its own name out of its licenses' names.
  if (/^cc by (?:nc|nd|sa)/.test(phrase)) add(dictionary, phrase.slice('cc '.length), meaning);
};

/** SPDX's identifiers and titles, word for word, and without their versions. */
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

/** Long enough that no other word is meant by it. */
const shortestJoined = 6;

/** Names of several words as they are written without blanks: `ServerSidePublicLicense`. */
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

/** Made when it is first asked for: most licenses are identifiers, which need no reading. */
const openDictionary = () => {
  if (!made) {
    const dictionary = makeDictionary();
    const lengths = [...dictionary.keys()].map((phrase) => phrase.split(' ').length);
    made = { dictionary, joined: joinWords(dictionary), mostWords: Math.max(...lengths) };
  }
  return made;
};

/** Every name in words, with the licenses that it may mean. */
export const listNames = (): (readonly [name: string, licenses: readonly string[]])[] =>
  [...openDictionary().dictionary].flatMap(([name, meaning]) =>
    'licenses' in meaning ? [[name, meaning.licenses] as const] : [],
  );

/** The longest name that begins at a word, and how many words it has; undefined if none does. */
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
