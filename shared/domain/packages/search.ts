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

const normalizeText = (text: string): string =>
  // Lower case has a sigma of its own for the end of a word.
  text.normalize('NFKC').toLowerCase().replaceAll('ς', 'σ').replace(/\s+/gu, ' ').trim();

const foldSeparators = (text: string): string => text.replace(/[-_.]/g, '-');

const cutCodePoints = (text: string, count: number): string => [...text].slice(0, count).join('');

const countCodePoints = (text: string): number => [...text].length;

/** The term to search for; undefined if it is blank, which filters nothing. */
export const parseSearchTerm = (search: string): SearchTerm | undefined => {
  const text = cutCodePoints(normalizeText(search), maxTermLength);
  return text === '' ? undefined : { text, pypiText: foldSeparators(text) };
};

/** The name as search compares it. */
const normalizeName = ({ ecosystem, name }: Pick<Searchable, 'ecosystem' | 'name'>): string =>
  ecosystem === 'pypi' ? foldSeparators(normalizeText(name)) : normalizeText(name);

/** The beginning of the name, which is all that short terms look at. */
export const cutNameBeginning = (version: Pick<Searchable, 'ecosystem' | 'name'>): string =>
  normalizeName(version).slice(0, nameTextLength);

const findWordStarts = (text: string): number[] =>
  [...text.matchAll(/[\p{L}\p{N}]+/gu)].map((word) => word.index);

const listNameTexts = (name: string): string[] => {
  const starts = findWordStarts(name);
  const others = [...name].map((_, position) => position).filter((at) => !starts.includes(at));
  return [...starts, ...others].map((at) => name.slice(at, at + nameTextLength));
};

const listDescriptionTexts = (description: string): string[] =>
  findWordStarts(description).map((at) =>
    // A code point is at most two UTF-16 units long.
    cutCodePoints(description.slice(at, at + 2 * descriptionTextLength), descriptionTextLength),
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
export const listSearchTexts = (version: Searchable): string[] => {
  const texts = new Set<string>();
  const candidates = [
    ...listNameTexts(normalizeName(version)),
    ...listDescriptionTexts(normalizeText(version.description ?? '')),
  ];
  for (const text of candidates) {
    if (texts.size === maxSearchTexts) break;
    if (countCodePoints(text) >= minSubstringLength) addText(texts, text);
  }
  return [...texts];
};

/** Whether a term is too short to match anything but the beginning of a name. */
export const isShortTerm = (term: string): boolean => countCodePoints(term) < minSubstringLength;

const matchesText = (text: string, term: string, name: string): boolean =>
  text.startsWith(cutCodePoints(term, nameTextLength)) &&
  (text.startsWith(term) || name.includes(term));

/** Whether the term finds a version by this one of its search texts, or, a short term, by this beginning of its name. */
export const isFoundBy = (
  text: string,
  version: Pick<Searchable, 'ecosystem' | 'name'>,
  term: SearchTerm,
): boolean => {
  const name = normalizeName(version);
  if (matchesText(text, term.text, name)) return true;
  // Only in names are pypi's separators one character.
  const isPypi = version.ecosystem === 'pypi' && name.includes(term.pypiText);
  return isPypi && matchesText(text, term.pypiText, name);
};

/** Whether the term finds the version. */
export const matchesSearch = (version: Searchable, term: SearchTerm): boolean => {
  const texts = isShortTerm(term.text) ? [cutNameBeginning(version)] : listSearchTexts(version);
  return texts.some((text) => isFoundBy(text, version, term));
};
