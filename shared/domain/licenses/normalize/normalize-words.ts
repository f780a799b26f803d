import { findName, type Meaning } from './dictionary.ts';
import { isVersion, splitWords } from './license-words.ts';

type Operator = 'AND' | 'OR';

/** A license name in a text, with its operator to the name before. */
export interface NamedLicense {
  readonly operator: Operator;
  /** True if no operator separates it from the name before, so it may repeat that name. */
  readonly isBeside: boolean;
  /** Licenses that the name may mean. */
  readonly licenses: readonly string[];
  /** True if a version selects one of the licenses. */
  readonly isFamily: boolean;
  /** True if the name counts only in a text whose every word is recognised. */
  readonly isBare?: boolean;
  version?: string;
  orLater?: boolean;
  exception?: string;
}

/** License names found in a text. */
export interface NormalizedWords {
  readonly names: NamedLicense[];
  /** True if every word was recognised. */
  isWhole: boolean;
  /** Operator before the next name. */
  pending: Operator | undefined;
}

/** Returns the version in an identifier: `2` of `GPL-2.0`. */
export const findVersion = (license: string): string | undefined =>
  splitWords(license).find(isVersion);

/** Adds a name. Names without an operator between them are joined by AND. */
const startName = (
  read: NormalizedWords,
  name: Omit<NamedLicense, 'operator' | 'isBeside'>,
): void => {
  if (read.names.length === 0 && read.pending) read.isWhole = false;
  read.names.push({ operator: read.pending ?? 'AND', isBeside: !read.pending, ...name });
  read.pending = undefined;
};

/** Adds a version. `GPL 2 or 3` means two licenses; in `MPL 2.0 (2.0)` the second number is a repetition. */
const takeVersion = (read: NormalizedWords, version: string): void => {
  const last = read.names.at(-1);
  if (last?.isFamily && last.version === undefined) {
    last.version = version;
    read.pending = undefined;
  } else if (last?.isFamily && read.pending) {
    startName(read, { licenses: last.licenses, isFamily: true, version });
  } else if ((last?.version ?? findVersion(last?.licenses[0] ?? '')) !== version) {
    read.isWhole = false;
  }
};

const takeException = (read: NormalizedWords, exception: string): void => {
  const last = read.names.at(-1);
  if (last?.licenses[0]?.startsWith('GPL-')) last.exception = exception;
  else read.isWhole = false;
};

const takeMeaning = (read: NormalizedWords, meaning: Meaning): void => {
  if (meaning.kind === 'filler') return;
  if (meaning.kind === 'exception') takeException(read, meaning.exception);
  else {
    const { kind, licenses } = meaning;
    startName(read, { licenses, isFamily: kind !== 'licenses', isBare: kind === 'bare' });
  }
};

/** Sets the operator before the next name. Two operators in a row, such as `and/or`, are ambiguous and mean AND. */
const takeOperator = (read: NormalizedWords, operator: Operator): void => {
  read.pending = read.pending ? 'AND' : operator;
};

const takeWord = (read: NormalizedWords, word: string): void => {
  const last = read.names.at(-1);
  if (word === 'and' || word === 'or') takeOperator(read, word === 'and' ? 'AND' : 'OR');
  else if (isVersion(word)) takeVersion(read, word);
  else if (word === 'orlater' && last) last.orLater = true;
  else if (word !== 'only' || !last) read.isWhole = false;
};

/** Returns the license names in a text. At each word, the longest name is taken. */
export const readWords = (text: string): NormalizedWords => {
  const words = splitWords(text);
  const read: NormalizedWords = { names: [], isWhole: true, pending: undefined };
  for (let at = 0; at < words.length; ) {
    const found = findName(words, at);
    if (found) takeMeaning(read, found.meaning);
    else takeWord(read, words[at] ?? '');
    at += found?.length ?? 1;
  }
  if (read.pending) read.isWhole = false;
  return read;
};
