import type { PackageId } from '../../domain/packages/package-id.ts';
import type { OutboundRetryOptions } from '../../util/outbound-http/request-within.ts';
import { UpstreamError } from '../../util/outbound-http/upstream-error.ts';
import { askBatch, type OsvQuestion } from './ask-batch.ts';
import { type OsvPackage, toOsvPackage } from './ecosystems.ts';
import type { OsvHttp } from './osv-http.ts';

/** Maximum number of queries in one `querybatch` request. */
const maxBatch = 1000;
/**
 * Maximum number of pages. OSV.dev returns at most 3,000 records on a page, and no package has a hundred times as many.
 */
const maxPages = 100;

/** OSV.dev query for one version. */
export interface OsvQuery {
  readonly package: OsvPackage;
  readonly version: string;
}

/**
 * Returns the query for one version.
 * @throws {UpstreamError} if OSV.dev does not cover its ecosystem
 */
export const makeQuery = (id: PackageId): OsvQuery => {
  const osvPackage = toOsvPackage(id);
  if (!osvPackage) throw new UpstreamError(`OSV.dev does not cover ${id.ecosystem} packages`);
  return { package: osvPackage, version: id.version };
};

/** Vulnerability ids of a version in OSV.dev, or an error. */
export type FoundIds = ReadonlySet<string> | UpstreamError;

/** Query whose next page is outstanding, with the ids of earlier pages. */
interface Pending {
  readonly query: OsvQuery;
  readonly question: OsvQuestion;
  readonly ids: Set<string>;
}

/** Requests one page of each query. Returns the queries with further pages. */
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
    const page = answers.get(question) ?? new UpstreamError('OSV.dev was not queried');
    if (page instanceof UpstreamError) {
      found.set(query, page);
      return [];
    }
    for (const { id } of page.vulns ?? []) ids.add(id);
    const { next_page_token: token } = page;
    return token ? [{ query, question: { ...query, page_token: token }, ids }] : [];
  });
};

/** Returns the vulnerability ids of each version from all pages. A failing query does not affect the others. */
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
  const endless = new UpstreamError(`OSV.dev returned more than ${maxPages} pages`);
  for (const { query } of pending) found.set(query, endless);
  return found;
};
