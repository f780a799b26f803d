import { isObject, type JsonObject } from '../../shared/util/json.ts';
import { formatCount } from './text.ts';

interface PageRows {
  readonly rows: readonly JsonObject[];
  /** The field of the answer that has the rows. */
  readonly key: string;
  /** The other fields of the answer. */
  readonly about: JsonObject;
}

/** One page of a list with offsets and a total. */
interface CountedPage extends PageRows {
  readonly total: number;
  readonly offset: number;
}

/** One page of a list with a cursor. */
interface CursorPage extends PageRows {
  /** The cursor of the next page: null after the last page, a number if new entries may follow at any time. */
  readonly next: string | number | null;
}

/** The request of which a page is the answer. */
interface ListRequest {
  /** The query parameter that takes the `next` of a page. */
  readonly nextParameter?: string | undefined;
  /** Whether a parameter selects entries. */
  readonly isFiltered: boolean;
  /** What people read in place of an empty list; a general sentence unless given. */
  readonly emptyText?: string | undefined;
}

/** One page of a list. */
export type Page = CountedPage | CursorPage;

const isCursor = (value: unknown): value is CursorPage['next'] =>
  value === null || ['string', 'number'].includes(typeof value);

/** Returns an answer as a page of a list; undefined if it is no list. */
export const toPage = (answer: unknown): Page | undefined => {
  if (!isObject(answer)) return undefined;
  // The fields before the last list are about all of its rows.
  const [key, list] = Object.entries(answer).findLast(([, value]) => Array.isArray(value)) ?? [];
  if (key === undefined) return undefined;
  const rows = list as readonly JsonObject[];
  const { next, [key]: _, ...others } = answer;
  if (isCursor(next)) return { key, rows, about: others, next };
  const { total, limit: __, offset, ...about } = others;
  return typeof total === 'number'
    ? { key, rows, about, total, offset: Number(offset ?? 0) }
    : undefined;
};

/**
 * Returns the query of the next page; undefined after the last page.
 * @param nextParameter the query parameter that takes the `next` of a page
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

/** Describes the progress of reading a list. */
export const describeProgress = (read: number, page: Page): string =>
  'total' in page ? `${page.offset + page.rows.length} of ${page.total} read` : `${read} read`;

const describeEmpty = ({ isFiltered, emptyText }: ListRequest): string =>
  emptyText ?? (isFiltered ? 'Nothing matches.' : 'There is nothing here yet.');

const describeCountedRest = (
  { rows, total, offset }: CountedPage,
  request: ListRequest,
): string => {
  if (total === 0) return describeEmpty(request);
  if (rows.length === 0) return `There are ${formatCount(total)} entries, fewer than --offset.`;
  const next = offset + rows.length;
  if (next >= total) return '';
  const shown = `${formatCount(offset + 1)} to ${formatCount(next)} of ${formatCount(total)}`;
  return `${shown}. --all shows all, --offset ${next} the next page.`;
};

/** Quotes a word for a shell. */
const quoteForShell = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

const describeCursorRest = ({ rows, next }: CursorPage, request: ListRequest): string => {
  const { nextParameter = 'after' } = request;
  const flag = `--${nextParameter}`;
  if (typeof next === 'string') {
    return `There are more. --all shows all, ${flag} ${quoteForShell(next)} the next page.`;
  }
  if (rows.length === 0) return describeEmpty(request);
  return next === null ? '' : `${flag} ${next} shows the next events.`;
};

/** Returns one line on the entries after this page; empty at the end of the list. */
export const describeRest = (page: Page, request: ListRequest): string =>
  'total' in page ? describeCountedRest(page, request) : describeCursorRest(page, request);
