import type { PackageId } from '../domain/package-id.ts';
import type { Finding } from '../domain/scans/vulnerability.ts';
import { osvFindings } from './findings.ts';
import { inParallel } from './in-parallel.ts';
import { OsvError, OsvRefusal, OsvUnreachable, PassingFault } from './osv-error.ts';
import { createOsvHttp, type OsvSettings } from './osv-http.ts';
import { OsvRecord } from './osv-record.ts';
import { type OsvQuery, queryFor, queryIds, queryRecords } from './queries.ts';
import type { Patience } from './retry.ts';

const parallelDetails = 8;
const defaultDeadlineMs = 20_000;
const defaultBackoffMs = 250;

/** What came of scanning one version: its findings, or why there are none. */
export type VersionScan =
  | { readonly id: PackageId; readonly findings: readonly Finding[] }
  | { readonly id: PackageId; readonly error: OsvError };

/** Asks OSV.dev what is known against package versions. */
export interface OsvClient {
  /** What is known against one version. Throws an OsvError whose message says why OSV.dev could not tell. */
  scanVersion(id: PackageId): Promise<Finding[]>;
  /** The same for many versions in few requests; never throws: each version has its findings or its error. */
  scanVersions(ids: readonly PackageId[]): Promise<VersionScan[]>;
}

const outcomeOf = async <T>(work: () => Promise<T> | T): Promise<T | OsvError> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof OsvError) return error;
    throw error;
  }
};

const succeeded = <T>(outcome: T | OsvError): outcome is T => !(outcome instanceof OsvError);

/** The findings of one version out of the records that were fetched; an error if one of them is missing. */
const findingsOf = (
  { package: asked, version }: OsvQuery,
  ids: Iterable<string>,
  records: ReadonlyMap<string, OsvRecord | OsvError>,
): readonly Finding[] | OsvError => {
  const needed = [...ids].map((id) => records.get(id) ?? new OsvError(`OSV.dev kept back ${id}`));
  const error = needed.find((record) => record instanceof OsvError);
  return error ?? osvFindings(needed.filter(succeeded), asked, version);
};

/** A client of the OSV.dev API. Faults that may pass are retried within the deadline; malformed answers are errors. */
export const createOsvClient = (settings: OsvSettings): OsvClient => {
  const { deadlineMs = defaultDeadlineMs, backoffMs = defaultBackoffMs } = settings;
  const http = createOsvHttp(settings);
  const patience = (): Patience => ({ until: performance.now() + deadlineMs, backoffMs });

  const fetchRecords = async (ids: readonly string[], within: Patience) => {
    const fetchOne = (id: string) => {
      const path = `/v1/vulns/${encodeURIComponent(id)}`;
      return outcomeOf(() => http({ path, answer: OsvRecord }, within));
    };
    const records = await inParallel(
      ids,
      parallelDetails,
      async (id) => [id, await fetchOne(id)] as const,
    );
    return new Map(records);
  };

  /** The ids of each query's records. A refused batch is halved until it is known which query is refused. */
  const askAll = async (
    queries: readonly OsvQuery[],
    within: Patience,
  ): Promise<[OsvQuery, ReadonlySet<string> | OsvError][]> => {
    const found = await outcomeOf(() => queryIds(http, queries, within));
    if (succeeded(found)) return found.map(({ query, ids }) => [query, ids]);
    if (found instanceof PassingFault) throw new OsvUnreachable(found.message, found.retryAfterMs);
    if (!(found instanceof OsvRefusal) || queries.length === 1) {
      return queries.map((query) => [query, found]);
    }
    const half = Math.ceil(queries.length / 2);
    const first = await askAll(queries.slice(0, half), within);
    return [...first, ...(await askAll(queries.slice(half), within))];
  };

  const scanAll = async (queries: readonly OsvQuery[]) => {
    const within = patience();
    const found = await askAll(queries, within);
    const ids = found.flatMap(([, known]) => (succeeded(known) ? [...known] : []));
    const records = await fetchRecords([...new Set(ids)], within);
    return new Map(
      found.map(([query, known]) => [
        query,
        succeeded(known) ? findingsOf(query, known, records) : known,
      ]),
    );
  };

  return {
    scanVersion: async (id) => {
      const query = queryFor(id);
      const records = await queryRecords(http, query, patience());
      return osvFindings(records, query.package, query.version);
    },

    scanVersions: async (ids) => {
      const asked = await Promise.all(
        ids.map(async (id) => ({ id, query: await outcomeOf(() => queryFor(id)) })),
      );
      const queries = asked.map(({ query }) => query).filter(succeeded);
      const scanned = await outcomeOf(() => scanAll(queries));
      return asked.map(({ id, query }) => {
        if (!succeeded(query)) return { id, error: query };
        if (!succeeded(scanned)) return { id, error: scanned };
        const findings = scanned.get(query) ?? new OsvError('OSV.dev was not asked');
        return succeeded(findings) ? { id, findings } : { id, error: findings };
      });
    },
  };
};
