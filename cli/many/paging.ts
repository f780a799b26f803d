import type { RouteInput } from '../../shared/api/client/outgoing.ts';
import { maxLimit } from '../../shared/api/schemas/query.ts';
import type { JsonObject } from '../../shared/util/json.ts';
import { describeProgress, findNextQuery, type Page, toPage } from '../output/page.ts';
import { eraseLine, type Terminal } from '../output/terminal.ts';

/** A list in pages. */
interface PagedList {
  readonly readPage: (input: RouteInput) => Promise<unknown>;
  /** The query parameter that takes the `next` of a page, if pages have one. */
  readonly nextParameter?: string | undefined;
}

/** Reads every page, and shows the progress at a terminal. */
export async function* readPages(
  { readPage, nextParameter }: PagedList,
  input: RouteInput,
  { err }: Terminal,
): AsyncGenerator<Page> {
  const progress = (text: string): void => {
    if (err.isTerminal) err.write(`${eraseLine}${text}`);
  };
  let read = 0;
  let cursor: JsonObject | undefined = {};
  try {
    while (cursor) {
      const { last, ...filter } = input.query ?? {};
      // `last` selects the first page; a cursor selects the others.
      const start = read === 0 && last !== undefined ? { last } : {};
      const query: JsonObject = { limit: maxLimit, ...filter, ...start, ...cursor };
      const page = toPage(await readPage({ ...input, query }));
      if (!page) return;
      read += page.rows.length;
      cursor = findNextQuery(page, nextParameter);
      progress('');
      yield page;
      if (cursor) progress(describeProgress(read, page));
    }
  } finally {
    progress('');
  }
}

/**
 * Reads further pages until there are as many rows as the limit, if the registry's pages are shorter.
 * @param first the answer to the input
 */
export const fillUp = async (
  { readPage, nextParameter }: PagedList,
  input: RouteInput,
  first: object,
): Promise<object> => {
  const wanted = Number(input.query?.['limit'] ?? 0);
  const pages: Page[] = [];
  let page = toPage(first);
  for (let missing = wanted; page && 'total' in page; ) {
    pages.push(page);
    missing -= page.rows.length;
    const cursor = findNextQuery(page, nextParameter);
    if (!cursor || missing <= 0) break;
    page = toPage(
      await readPage({ ...input, query: { ...input.query, ...cursor, limit: missing } }),
    );
  }
  return pages.length > 1 ? joinPages(pages) : first;
};

/** Joins pages into one. */
export const joinPages = async (all: AsyncIterable<Page> | Iterable<Page>): Promise<object> => {
  const rows: JsonObject[] = [];
  let last: Page | undefined;
  let lookedAt = 0;
  for await (const page of all) {
    rows.push(...page.rows);
    lookedAt += Number(page.about['looked_at'] ?? 0);
    last = page;
  }
  const { key = 'rows', about = {} } = last ?? {};
  const counted = 'looked_at' in about ? { ...about, looked_at: lookedAt } : about;
  if (last && 'next' in last) return { ...counted, [key]: rows, next: last.next };
  const { total = 0, offset = 0 } = last ?? {};
  return {
    ...about,
    [key]: rows,
    total,
    limit: rows.length,
    offset: offset + (last?.rows.length ?? 0) - rows.length,
  };
};
