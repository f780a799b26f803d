import type { RouteInput } from '../../shared/api/client/outgoing.ts';
import { maxLimit } from '../../shared/api/schemas/query.ts';
import type { JsonObject } from '../../shared/util/json.ts';
import { describeProgress, findNextQuery, type Page, toPage } from '../output/page.ts';
import { eraseLine, type Terminal } from '../output/terminal.ts';

/** A list that is read page by page. */
interface PagedList {
  readonly readPage: (input: RouteInput) => Promise<unknown>;
  /** The parameter that takes the `next` of a page, where a page has one. */
  readonly nextParameter?: string | undefined;
}

/** Reads every page from the first on, one after the other, with a progress line for whoever watches. */
export async function* readPages(
  { readPage, nextParameter }: PagedList,
  input: RouteInput,
  { err }: Terminal,
): AsyncGenerator<Page> {
  const progress = (text: string): void => {
    if (err.isTerminal) err.write(`${eraseLine}${text}`);
  };
  let read = 0;
  let place: JsonObject | undefined = {};
  try {
    while (place) {
      const { last, ...filter } = input.query ?? {};
      // It says where the first page begins, as the place does of those after it.
      const start = read === 0 && last !== undefined ? { last } : {};
      const query: JsonObject = { limit: maxLimit, ...filter, ...start, ...place };
      const page = toPage(await readPage({ ...input, query }));
      if (!page) return;
      read += page.rows.length;
      place = findNextQuery(page, nextParameter);
      progress('');
      yield page;
      if (place) progress(describeProgress(read, page));
    }
  } finally {
    progress('');
  }
}

/**
 * Makes a page as long as was asked for, where the registry's are shorter: it reads those that follow.
 * @param first the answer that the registry gave to the input
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
    const place = findNextQuery(page, nextParameter);
    if (!place || missing <= 0) break;
    page = toPage(
      await readPage({ ...input, query: { ...input.query, ...place, limit: missing } }),
    );
  }
  return pages.length > 1 ? joinPages(pages) : first;
};

/** Makes one page of all. */
export const joinPages = async (all: AsyncIterable<Page> | Iterable<Page>): Promise<object> => {
  const rows: JsonObject[] = [];
  let last: Page | undefined;
  for await (const page of all) {
    rows.push(...page.rows);
    last = page;
  }
  const { key = 'rows', about = {} } = last ?? {};
  if (last && 'next' in last) return { ...about, [key]: rows, next: last.next };
  const { total = 0, offset = 0 } = last ?? {};
  return {
    ...about,
    [key]: rows,
    total,
    limit: rows.length,
    offset: offset + (last?.rows.length ?? 0) - rows.length,
  };
};
