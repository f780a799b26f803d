/** Search terms with about the wanted number of matches. */
import { parseSearchTerm } from '../../shared/domain/packages/search.ts';
import type { CatalogueQuery, createCatalogue } from '../../shared/storage/catalogue/catalogue.ts';
import { oldestFirst } from '../../shared/storage/catalogue/order.ts';
import { realisticPackages } from '../support/realistic-packages.ts';

type List = ReturnType<typeof createCatalogue>;

export interface Term {
  readonly text: string;
  readonly search: CatalogueQuery['search'];
  readonly matches: number;
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[a-z]{3,}/g) ?? [];

const pairsOf = (words: readonly string[]): string[] =>
  words.slice(1).map((word, at) => `${words[at]} ${word}`);

/** Counts the versions with each word, and with each pair of words in their descriptions. */
const countWords = (size: number): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const { submission } of realisticPackages(size)) {
    const described = wordsOf(submission.description ?? '');
    const texts = new Set([...wordsOf(submission.name), ...described, ...pairsOf(described)]);
    for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return counts;
};

/** The number of candidates to search, because they also match parts of longer words. */
const candidates = 8;

const distance = (count: number, wanted: number): number => Math.abs(Math.log(count / wanted));

const nearestTo = (
  wanted: number,
  counts: readonly (readonly [text: string, count: number])[],
): string[] =>
  counts
    .toSorted((a, b) => distance(a[1], wanted) - distance(b[1], wanted))
    .slice(0, candidates)
    .map(([text]) => text);

const first = { order: oldestFirst, limit: 1, offset: 0 } as const;

/** The matches of a term. */
export const tryTerm = async (list: List, text: string): Promise<Term> => {
  const search = parseSearchTerm(text);
  return { text, search, matches: (await list({ ...first, search })).total };
};

/** Returns the nearest term for each wanted number of matches. */
export const findTerms = async (
  list: List,
  size: number,
  wanted: readonly number[],
): Promise<Term[]> => {
  const counts = [...countWords(size)];
  const terms: Term[] = [];
  for (const matches of wanted) {
    const tried: Term[] = [];
    for (const text of nearestTo(matches, counts)) tried.push(await tryTerm(list, text));
    tried.sort((a, b) => distance(a.matches, matches) - distance(b.matches, matches));
    terms.push(...tried.slice(0, 1));
  }
  return terms;
};
