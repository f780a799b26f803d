import { isObject } from '../../../shared/util/json.ts';
import { toOneLine, toPrintable } from '../../output/text.ts';

/** Characters that people do not see, and models read: they could hide instructions. */
const invisible = /\p{Default_Ignorable_Code_Point}/gu;

const longestQuote = 500;

const cut = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most)}…`;

/** Makes text from the registry safe for models and terminals, and shortens it. */
export const clean = (text: string, most: number): string =>
  cut(toPrintable(text.replace(invisible, '')), most).toWellFormed();

/** Quotes text of strangers within a sentence, so that its end is clear. */
export const quote = (text: string, most = longestQuote): string =>
  JSON.stringify(clean(toOneLine(text), most));

/** Marks each line of strangers, so that none looks like a line of the server, and shortens them. */
export const quoteLines = (lines: readonly string[], most: number): string[] =>
  clean(lines.join('\n'), most)
    .split('\n')
    .map((line) => `> ${line.trimEnd()}`.trimEnd());

interface Bound {
  readonly characters: number;
  readonly items: number;
}

/** Bounds from the most generous to one that always fits. */
const bounds: readonly Bound[] = [
  { characters: 2000, items: 100 },
  { characters: 500, items: 30 },
  { characters: 200, items: 10 },
  { characters: 80, items: 3 },
];

const shorten = (value: unknown, bound: Bound): unknown => {
  if (typeof value === 'string') return clean(value, bound.characters);
  if (Array.isArray(value)) return value.slice(0, bound.items).map((one) => shorten(one, bound));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, shorten(member, bound)]),
  );
};

/** Cleans an answer of the registry, and shortens its texts and lists until its JSON fits. */
export const shortenTo = (value: unknown, most: number): unknown => {
  for (const bound of bounds) {
    const short = shorten(value, bound);
    if (JSON.stringify(short).length <= most) return short;
  }
  return null;
};
