import * as z from 'zod';
import type { PackageId } from '../domain/package-id.ts';
import { type OsvPackage, toOsvPackage } from './ecosystems.ts';
import { OsvError } from './osv-error.ts';
import type { OsvHttp } from './osv-http.ts';
import { OsvRecord } from './osv-record.ts';
import type { Patience } from './retry.ts';

/** The most that one `querybatch` takes. */
const maxBatch = 1000;
/** OSV.dev pages after at most 3,000 records; nothing has a hundred times that many. */
const maxPages = 100;

/** One version as OSV.dev is asked for it. */
export interface OsvQuery {
  readonly package: OsvPackage;
  readonly version: string;
}

/** The question for one version. Throws an OsvError if OSV.dev does not cover its ecosystem. */
export const makeQuery = (id: PackageId): OsvQuery => {
  const asked = toOsvPackage(id);
  if (!asked) throw new OsvError(`OSV.dev does not cover ${id.ecosystem} packages`);
  return { package: asked, version: id.version };
};

const pageToken = z.string().nullish();

const BatchAnswer = z.object({
  results: z.array(
    z.object({
      vulns: z.array(z.object({ id: OsvRecord.shape.id })).nullish(),
      next_page_token: pageToken,
    }),
  ),
});

const refuseEndlessPages = (): OsvError =>
  new OsvError(`OSV.dev had not come to an end after ${maxPages} pages`);

/** A version, and the ids of the records that OSV.dev has against it. */
export interface FoundIds {
  readonly query: OsvQuery;
  readonly ids: Set<string>;
}

/** A question of a batch: whose answer it is for, and which page. */
interface Pending {
  readonly found: FoundIds;
  readonly token?: string;
}

/** Asks one batch; what is left are the questions whose answers have further pages. */
const askBatch = async (
  http: OsvHttp,
  batch: readonly Pending[],
  patience: Patience,
): Promise<Pending[]> => {
  const queries = batch.map(({ found, token }) =>
    token ? { ...found.query, page_token: token } : found.query,
  );
  const request = { path: '/v1/querybatch', body: { queries }, answer: BatchAnswer };
  const { results } = await http(request, patience);
  if (results.length !== batch.length) {
    throw new OsvError(`OSV.dev answered ${results.length} of ${batch.length} questions`);
  }
  return batch.flatMap(({ found }, at) => {
    const { vulns, next_page_token: token } = results[at] ?? {};
    for (const { id } of vulns ?? []) found.ids.add(id);
    return token ? [{ found, token }] : [];
  });
};

/** The ids of the records of each version, over all pages. */
export const askForIds = async (
  http: OsvHttp,
  queries: readonly OsvQuery[],
  patience: Patience,
): Promise<FoundIds[]> => {
  const all = queries.map((query) => ({ query, ids: new Set<string>() }));
  let pending: Pending[] = all.map((found) => ({ found }));
  for (let page = 0; pending.length > 0; page += 1) {
    if (page === maxPages) throw refuseEndlessPages();
    const next: Pending[] = [];
    for (let at = 0; at < pending.length; at += maxBatch) {
      next.push(...(await askBatch(http, pending.slice(at, at + maxBatch), patience)));
    }
    pending = next;
  }
  return all;
};
