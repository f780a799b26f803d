import { isObject, type JsonObject } from '../../shared/util/json.ts';
import { formatCount } from './text.ts';

interface PageRows {
  readonly rows: readonly JsonObject[];
  /** What the rows are called in the answer. */
  readonly key: string;
  /** What the answer tells besides. */
  readonly about: JsonObject;
}

/** One page of a list that is counted. */
interface CountedPage extends PageRows {
  readonly total: number;
  readonly offset: number;
}

/** One page of a list that goes by time: it says where the next one begins. */
interface OpenPage extends PageRows {
  /** Null after the last page; a number where more may come at any time. */
  readonly next: string | number | null;
}

/** One page of a list, whatever its rows are called in the answer. */
export type Page = CountedPage | OpenPage;

const isPlace = (value: unknown): value is OpenPage['next'] =>
  value === null || ['string', 'number'].includes(typeof value);

/** Takes an answer for a page of a list; undefined if it is one thing. */
export const toPage = (answer: unknown): Page | undefined => {
  if (!isObject(answer)) return undefined;
  // What stands before the last list is about all of its rows.
  const [key, list] = Object.entries(answer).findLast(([, value]) => Array.isArray(value)) ?? [];
  if (key === undefined) return undefined;
  const rows = list as readonly JsonObject[];
  const { next, [key]: _, ...others } = answer;
  if (isPlace(next)) return { key, rows, about: others, next };
  const { total, limit: __, offset, ...about } = others;
  return typeof total === 'number'
    ? { key, rows, about, total, offset: Number(offset ?? 0) }
    : undefined;
};

/**
 * What to ask for to get the page after this one; undefined after the last.
 * @param nextParameter the one that takes the `next` of a page
 */
export const findNextQuery = (page: Page, nextParameter = 'after'): JsonObject | undefined => {
  const { rows } = page;
  if ('next' in page) {
    const isEnd = page.next === null || (typeof page.next === 'number' && rows.length === 0);
    return isEnd ? undefined : { [nextParameter]: page.next };
  }
  if (rows.length === 0) return undefined;
  const offset = page.offset + rows.length;
  return offset < page.total ? { offset } : undefined;
};

/** How far a list was read, for whoever watches. */
export const describeProgress = (read: number, page: Page): string =>
  'total' in page ? `${page.offset + page.rows.length} of ${page.total} read` : `${read} read`;

const describeCountedRest = ({ rows, total, offset }: CountedPage): string => {
  if (total === 0) return 'Nothing matches.';
  if (rows.length === 0) return `There are ${formatCount(total)}; --offset is beyond them.`;
  const next = offset + rows.length;
  if (next >= total) return '';
  const shown = `${formatCount(offset + 1)} to ${formatCount(next)} of ${formatCount(total)}`;
  return `${shown}; --all shows all, --offset ${next} the next.`;
};

/** A word as shells take it for one. */
const quoteForShell = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

const describeOpenRest = ({ rows, next }: OpenPage, nextParameter: string): string => {
  const flag = `--${nextParameter}`;
  if (typeof next === 'string') {
    return `There is more; --all shows all, ${flag} ${quoteForShell(next)} the next.`;
  }
  if (rows.length === 0) return 'Nothing matches.';
  return next === null ? '' : `${flag} ${next} shows what comes next.`;
};

/** Tells people in one line what of the list they do not see; nothing if they see its end. */
export const describeRest = (page: Page, nextParameter = 'after'): string =>
  'total' in page ? describeCountedRest(page) : describeOpenRest(page, nextParameter);
