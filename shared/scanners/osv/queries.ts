import type { PackageId } from '../../domain/packages/package-id.ts';
import type { OutboundRetryOptions } from '../../util/outbound-http/request-within.ts';
import { AskError } from '../../util/outbound-http/upstream-error.ts';
import { askBatch, type OsvQuestion } from './ask-batch.ts';
import { type OsvPackage, toOsvPackage } from './ecosystems.ts';
import type { OsvHttp } from './osv-http.ts';

/** The most that one `querybatch` takes. */
const maxBatch = 1000;
/** OSV.dev pages after at most 3,000 records; nothing has a hundred times that many. */
const maxPages = 100;

/** One version as OSV.dev is asked for it. */
export interface OsvQuery {
  readonly package: OsvPackage;
  readonly version: string;
}

/** The question for one version. Throws an AskError if OSV.dev does not cover its ecosystem. */
export const makeQuery = (id: PackageId): OsvQuery => {
  const asked = toOsvPackage(id);
  if (!asked) throw new AskError(`OSV.dev does not cover ${id.ecosystem} packages`);
  return { package: asked, version: id.version };
};

/** The ids of the records that OSV.dev has against a version, or why they are not known. */
export type FoundIds = ReadonlySet<string> | AskError;

/** A question that waits for its answer, and what the pages before have told. */
interface Pending {
  readonly query: OsvQuery;
  readonly question: OsvQuestion;
  readonly ids: Set<string>;
}

/** Asks for one page each; resolves to what is still to be asked: further pages. */
const askForPages = async (
  http: OsvHttp,
  pending: readonly Pending[],
  retryOptions: OutboundRetryOptions,
  found: Map<OsvQuery, FoundIds>,
): Promise<Pending[]> => {
  const answers = await askBatch(
    http,
    pending.map(({ question }) => question),
    retryOptions,
  );
  return pending.flatMap(({ query, question, ids }) => {
    const page = answers.get(question) ?? new AskError('OSV.dev was not asked');
    if (page instanceof AskError) {
      found.set(query, page);
      return [];
    }
    for (const { id } of page.vulns ?? []) ids.add(id);
    const { next_page_token: token } = page;
    return token ? [{ query, question: { ...query, page_token: token }, ids }] : [];
  });
};

/** The ids of the records of each version, over all pages. What goes wrong with one version costs that one alone. */
export const askForIds = async (
  http: OsvHttp,
  queries: readonly OsvQuery[],
  retryOptions: OutboundRetryOptions,
): Promise<ReadonlyMap<OsvQuery, FoundIds>> => {
  const all: Pending[] = queries.map((query) => ({ query, question: query, ids: new Set() }));
  const found = new Map<OsvQuery, FoundIds>(all.map(({ query, ids }) => [query, ids]));
  let pending = all;
  for (let page = 0; pending.length > 0 && page < maxPages; page += 1) {
    const next: Pending[] = [];
    for (let at = 0; at < pending.length; at += maxBatch) {
      const batch = pending.slice(at, at + maxBatch);
      next.push(...(await askForPages(http, batch, retryOptions, found)));
    }
    pending = next;
  }
  const endless = new AskError(`OSV.dev had not come to an end after ${maxPages} pages`);
  for (const { query } of pending) found.set(query, endless);
  return found;
};
