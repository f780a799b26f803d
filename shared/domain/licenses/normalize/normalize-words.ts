import { findName, type Meaning } from './dictionary.ts';
import { isVersion, splitWords } from './license-words.ts';

type Operator = 'AND' | 'OR';

/** One name of a text, and how it is joined to the one before. */
export interface NamedLicense {
  readonly operator: Operator;
  /** Whether it merely stands beside the one before, and may say the same once more. */
  readonly isBeside: boolean;
  /** Any of these may be meant. */
  readonly licenses: readonly string[];
  /** Whether a version says which of them it is. */
  readonly isFamily: boolean;
  /** Whether it names nothing unless every word of the text is read. */
  readonly isBare?: boolean;
  version?: string;
  orLater?: boolean;
  exception?: string;
}

/** What the words of a text say. */
export interface ReadWords {
  readonly names: NamedLicense[];
  /** Whether nothing else stands there. */
  isWhole: boolean;
  /** The operator that waits for the next name. */
  pending: Operator | undefined;
}

/** The first number of an identifier: `2` of `GPL-2.0`. */
export const findVersion = (license: string): string | undefined =>
  splitWords(license).find(isVersion);

/** Names that merely stand beside each other hold together. */
const startName = (read: ReadWords, name: Omit<NamedLicense, 'operator' | 'isBeside'>): void => {
  if (read.names.length === 0 && read.pending) read.isWhole = false;
  read.names.push({ operator: read.pending ?? 'AND', isBeside: !read.pending, ...name });
  read.pending = undefined;
};

/** `GPL 2 or 3` names two; in `MPL 2.0 (2.0)` the second number says nothing new. */
const takeVersion = (read: ReadWords, version: string): void => {
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

const takeException = (read: ReadWords, exception: string): void => {
  const last = read.names.at(-1);
  if (last?.licenses[0]?.startsWith('GPL-')) last.exception = exception;
  else read.isWhole = false;
};

const takeMeaning = (read: ReadWords, meaning: Meaning): void => {
  if (meaning.kind === 'filler') return;
  if (meaning.kind === 'exception') takeException(read, meaning.exception);
  else {
    const { kind, licenses } = meaning;
    startName(read, { licenses, isFamily: kind !== 'licenses', isBare: kind === 'bare' });
  }
};

/** Two operators in a row, such as `and/or`, leave it open: then both hold. */
const takeOperator = (read: ReadWords, operator: Operator): void => {
  read.pending = read.pending ? 'AND' : operator;
};

const takeWord = (read: ReadWords, word: string): void => {
  const last = read.names.at(-1);
  if (word === 'and' || word === 'or') takeOperator(read, word === 'and' ? 'AND' : 'OR');
  else if (isVersion(word)) takeVersion(read, word);
  else if (word === 'orlater' && last) last.orLater = true;
  else if (word !== 'only' || !last) read.isWhole = false;
};

/** Reads the names of licenses in a text, the longest that begins at each word. */
export const readWords = (text: string): ReadWords => {
  const words = splitWords(text);
  const read: ReadWords = { names: [], isWhole: true, pending: undefined };
  for (let at = 0; at < words.length; ) {
    const found = findName(words, at);
    if (found) takeMeaning(read, found.meaning);
    else takeWord(read, words[at] ?? '');
    at += found?.length ?? 1;
  }
  if (read.pending) read.isWhole = false;
  return read;
};
