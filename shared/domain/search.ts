import type { Ecosystem } from './ecosystem.ts';

/** What search looks at in a package version. */
export interface Searchable {
  readonly ecosystem: Ecosystem;
  readonly name: string;
  readonly description: string | null;
}

/** A search term ready to compare: as typed, and with pypi's separators as one. Both normalised and cut. */
export interface SearchTerm {
  readonly text: string;
  readonly pypiText: string;
}

/** A version has at most this many search texts, so that its submission stays one transaction of 100 items. */
export const maxSearchTexts = 88;
/** Terms from this length on match inside names and at word starts of descriptions; shorter ones only start a name. */
export const minSubstringLength = 3;
/** Code points of a term that count. */
const maxTermLength = 32;
/** Code points kept of a text from a name; what follows is checked against the name itself. */
export const nameTextLength = 16;
/** Code points kept of a text from a description. */
const descriptionTextLength = maxTermLength;

const normalized = (text: string): string =>
  // Lower case has a sigma of its own for the end of a word.
  text.normalize('NFKC').toLowerCase().replaceAll('ς', 'σ').replace(/\s+/gu, ' ').trim();

const withPypiSeparators = (text: string): string => text.replace(/[-_.]/g, '-');

const firstCodePoints = (text: string, count: number): string => [...text].slice(0, count).join('');

const codePointCount = (text: string): number => [...text].length;

/** The term to search for; undefined if it is blank, which filters nothing. */
export const searchTerm = (search: string): SearchTerm | undefined => {
  const text = firstCodePoints(normalized(search), maxTermLength);
  return text === '' ? undefined : { text, pypiText: withPypiSeparators(text) };
};

/** The name as search compares it. */
export const searchName = ({ ecosystem, name }: Pick<Searchable, 'ecosystem' | 'name'>): string =>
  ecosystem === 'pypi' ? withPypiSeparators(normalized(name)) : normalized(name);

/** The beginning of the name, which is all that short terms look at. */
export const nameBeginning = (version: Pick<Searchable, 'ecosystem' | 'name'>): string =>
  searchName(version).slice(0, nameTextLength);

const wordStarts = (text: string): number[] =>
  [...text.matchAll(/[\p{L}\p{N}]+/gu)].map((word) => word.index);

const nameTexts = (name: string): string[] => {
  const starts = wordStarts(name);
  const others = [...name].map((_, position) => position).filter((at) => !starts.includes(at));
  return [...starts, ...others].map((at) => name.slice(at, at + nameTextLength));
};

const descriptionTexts = (description: string): string[] =>
  wordStarts(description).map((at) =>
    // A code point is at most two UTF-16 units long.
    firstCodePoints(description.slice(at, at + 2 * descriptionTextLength), descriptionTextLength),
  );

/** Adds a text unless one that starts with it is there; a text that it starts with makes way for it. */
const addText = (texts: Set<string>, text: string): void => {
  for (const known of texts) {
    if (known.startsWith(text)) return;
    if (text.startsWith(known)) texts.delete(known);
  }
  texts.add(text);
};

/**
 * The texts by which search finds a version: the name from each word start, then from its other positions, then
 * the description from each word start, until there are 88. None is the beginning of another.
 */
export const searchTexts = (version: Searchable): string[] => {
  const texts = new Set<string>();
  const candidates = [
    ...nameTexts(searchName(version)),
    ...descriptionTexts(normalized(version.description ?? '')),
  ];
  for (const text of candidates) {
    if (texts.size === maxSearchTexts) break;
    if (codePointCount(text) >= minSubstringLength) addText(texts, text);
  }
  return [...texts];
};

/** Whether a term is too short to match anything but the beginning of a name. */
export const isShortTerm = (term: string): boolean => codePointCount(term) < minSubstringLength;

const textMatches = (text: string, term: string, name: string): boolean =>
  text.startsWith(firstCodePoints(term, nameTextLength)) &&
  (text.startsWith(term) || name.includes(term));

/** Whether the term finds a version by this one of its search texts, or, a short term, by this beginning of its name. */
export const isFoundBy = (
  text: string,
  version: Pick<Searchable, 'ecosystem' | 'name'>,
  term: SearchTerm,
): boolean => {
  const name = searchName(version);
  if (textMatches(text, term.text, name)) return true;
  // Only in names are pypi's separators one character.
  const isPypi = version.ecosystem === 'pypi' && name.includes(term.pypiText);
  return isPypi && textMatches(text, term.pypiText, name);
};

/** Whether the term finds the version. */
export const matchesSearch = (version: Searchable, term: SearchTerm): boolean => {
  const texts = isShortTerm(term.text) ? [nameBeginning(version)] : searchTexts(version);
  return texts.some((text) => isFoundBy(text, version, term));
};
