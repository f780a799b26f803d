import type { RouteInput } from '../../shared/client/outgoing.ts';
import type { JsonObject } from '../../shared/domain/json.ts';
import { maxLimit } from '../../shared/schemas/query.ts';
import { type Page, toPage } from '../output/page.ts';
import { eraseLine, type Terminal } from '../output/terminal.ts';

type ReadPage = (input: RouteInput) => Promise<unknown>;

/** Reads every page from the offset on, one after the other, with a progress line for whoever watches. */
export async function* readPages(
  readPage: ReadPage,
  input: RouteInput,
  { err }: Terminal,
): AsyncGenerator<Page> {
  const progress = (text: string): void => {
    if (err.isTerminal) err.write(`${eraseLine}${text}`);
  };
  let offset = Number(input.query?.['offset'] ?? 0);
  try {
    for (;;) {
      const query = { limit: maxLimit, ...input.query, offset };
      const page = toPage(await readPage({ ...input, query }));
      if (!page) return;
      offset += page.rows.length;
      progress('');
      yield page;
      if (page.rows.length === 0 || offset >= page.total) return;
      progress(`${offset} of ${page.total} read`);
    }
  } finally {
    progress('');
  }
}

/** Makes one page of all. */
export const joinPages = async (all: AsyncIterable<Page>): Promise<object> => {
  const rows: JsonObject[] = [];
  let last: Page | undefined;
  for await (const page of all) {
    rows.push(...page.rows);
    last = page;
  }
  const { key = 'rows', total = 0, offset = 0 } = last ?? {};
  return {
    [key]: rows,
    total,
    limit: rows.length,
    offset: offset + (last?.rows.length ?? 0) - rows.length,
  };
};
