import { isObject } from '../../../shared/util/json.ts';
import { toOneLine, toPrintable } from '../../output/text.ts';

/** What nobody sees, and a model reads all the same: it could carry words past whoever looks on. */
const invisible = /\p{Default_Ignorable_Code_Point}/gu;

const longestQuote = 500;

const cut = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most)}…`;

/** Text from the registry as it may be shown to a model, and to whoever looks on; no longer than that. */
export const clean = (text: string, most: number): string =>
  cut(toPrintable(text.replace(invisible, '')), most).toWellFormed();

/** Words of strangers in a sentence of ours: in quotation marks, so that it is plain where they end. */
export const quote = (text: string, most = longestQuote): string =>
  JSON.stringify(clean(toOneLine(text), most));

/** Lines of strangers, each marked, so that none passes for ours; no more characters than that. */
export const quoteLines = (lines: readonly string[], most: number): string[] =>
  clean(lines.join('\n'), most)
    .split('\n')
    .map((line) => `> ${line.trimEnd()}`.trimEnd());

interface Bound {
  readonly characters: number;
  readonly items: number;
}

/** From what loses next to nothing to what always fits. */
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

/** What the registry answered, cleaned, with its texts and lists cut until it is no longer than that as JSON. */
export const shortenTo = (value: unknown, most: number): unknown => {
  for (const bound of bounds) {
    const short = shorten(value, bound);
    if (JSON.stringify(short).length <= most) return short;
  }
  return null;
};
