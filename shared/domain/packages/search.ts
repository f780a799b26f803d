import type { Ecosystem } from '../../ecosystems/ecosystem.ts';
import { hasEqualSeparators } from '../../ecosystems/rules.ts';

/** Fields of a package version that search covers. */
export interface Searchable {
  readonly ecosystem: Ecosystem;
  readonly name: string;
  readonly description: string | null;
}

/** A normalised and cut search term: as typed, and with all separators as `-` for ecosystems where they are equal. */
export interface SearchTerm {
  readonly text: string;
  readonly foldedText: string;
}

/** Maximum number of search texts of a version, so that each change of its status fits into one transaction of 100 items. */
export const maxSearchTexts = 83;
/**
 * Minimum length of terms that match inside names and at word starts of descriptions. Shorter terms match only the
 * beginning of a name.
 */
export const minSubstringLength = 3;
/** Number of significant code points of a term. */
const maxTermLength = 32;
/** Number of indexed code points of a text from a name. The rest is compared with the name. */
export const nameTextLength = 16;
/** Number of indexed code points of a text from a description. */
const descriptionTextLength = maxTermLength;

const normalizeText = (text: string): string =>
  // The Greek lower-case sigma has a separate form at the end of a word.
  text.normalize('NFKC').toLowerCase().replaceAll('ς', 'σ').replace(/\s+/gu, ' ').trim();

const foldSeparators = (text: string): string => text.replace(/[-_.]/g, '-');

const cutCodePoints = (text: string, count: number): string => [...text].slice(0, count).join('');

const countCodePoints = (text: string): number => [...text].length;

/** Parses a search term. Returns undefined for a blank term, which filters nothing. */
export const parseSearchTerm = (search: string): SearchTerm | undefined => {
  const text = cutCodePoints(normalizeText(search), maxTermLength);
  return text === '' ? undefined : { text, foldedText: foldSeparators(text) };
};

/** Returns the name in the form that search compares. */
const normalizeName = ({ ecosystem, name }: Pick<Searchable, 'ecosystem' | 'name'>): string =>
  hasEqualSeparators[ecosystem] ? foldSeparators(normalizeText(name)) : normalizeText(name);

/** Returns the indexed beginning of a name, which short terms match. */
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
    // A code point has at most two UTF-16 units.
    cutCodePoints(description.slice(at, at + 2 * descriptionTextLength), descriptionTextLength),
  );

/** Adds a text unless an existing one starts with it. Existing texts that are its prefix are removed. */
const addText = (texts: Set<string>, text: string): void => {
  for (const known of texts) {
    if (known.startsWith(text)) return;
    if (text.startsWith(known)) texts.delete(known);
  }
  texts.add(text);
};

/**
 * Returns the search texts of a version: the name from each word start, then from its other positions, then the
 * description from each word start, up to `maxSearchTexts`. No text is a prefix of another.
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

/** True if a term is so short that it matches only the beginning of a name. */
export const isShortTerm = (term: string): boolean => countCodePoints(term) < minSubstringLength;

const matchesText = (text: string, term: string, name: string): boolean =>
  text.startsWith(cutCodePoints(term, nameTextLength)) &&
  (text.startsWith(term) || name.includes(term));

/**
 * True if a term matches a version by the given search text. For a short term, the text is the beginning of the name.
 */
export const isFoundBy = (
  text: string,
  version: Pick<Searchable, 'ecosystem' | 'name'>,
  term: SearchTerm,
): boolean => {
  const name = normalizeName(version);
  if (matchesText(text, term.text, name)) return true;
  // Separators are equal in names alone.
  const isFolded = hasEqualSeparators[version.ecosystem] && name.includes(term.foldedText);
  return isFolded && matchesText(text, term.foldedText, name);
};

/** True if a term matches a version. */
export const matchesSearch = (version: Searchable, term: SearchTerm): boolean => {
  const texts = isShortTerm(term.text) ? [cutNameBeginning(version)] : listSearchTexts(version);
  return texts.some((text) => isFoundBy(text, version, term));
};
