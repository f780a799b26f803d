import type { PackageId } from '../domain/package-id.ts';
import type { Finding } from '../domain/scans/vulnerability.ts';
import { readOsvFindings } from './findings.ts';
import { runInParallel } from './in-parallel.ts';
import { OsvError, OsvRefusalError, OsvUnreachableError, PassingFaultError } from './osv-error.ts';
import { createOsvHttp, type OsvSettings } from './osv-http.ts';
import { OsvRecord } from './osv-record.ts';
import { askForIds, makeQuery, type OsvQuery } from './queries.ts';
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
  /** What is known against each version, in few requests. Never throws: each version has its findings or its error. */
  scanVersions(ids: readonly PackageId[]): Promise<VersionScan[]>;
}

const catchOsvError = async <T>(work: () => Promise<T> | T): Promise<T | OsvError> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof OsvError) return error;
    throw error;
  }
};

const isSuccess = <T>(outcome: T | OsvError): outcome is T => !(outcome instanceof OsvError);

/** The findings of one version out of the records that were fetched; an error if one of them is missing. */
const collectFindings = (
  { package: asked, version }: OsvQuery,
  ids: Iterable<string>,
  records: ReadonlyMap<string, OsvRecord | OsvError>,
): readonly Finding[] | OsvError => {
  const needed = [...ids].map((id) => records.get(id) ?? new OsvError(`OSV.dev kept back ${id}`));
  const error = needed.find((record) => record instanceof OsvError);
  return error ?? readOsvFindings(needed.filter(isSuccess), asked, version);
};

/** A client of the OSV.dev API. Faults that may pass are retried within the deadline; malformed answers are errors. */
export const createOsvClient = (settings: OsvSettings): OsvClient => {
  const { deadlineMs = defaultDeadlineMs, backoffMs = defaultBackoffMs } = settings;
  const http = createOsvHttp(settings);
  const patience = (): Patience => ({ until: performance.now() + deadlineMs, backoffMs });

  const fetchRecords = async (ids: readonly string[], within: Patience) => {
    const fetchOne = (id: string) => {
      const path = `/v1/vulns/${encodeURIComponent(id)}`;
      return catchOsvError(() => http({ path, answer: OsvRecord }, within));
    };
    const records = await runInParallel(
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
    const found = await catchOsvError(() => askForIds(http, queries, within));
    if (isSuccess(found)) return found.map(({ query, ids }) => [query, ids]);
    if (found instanceof PassingFaultError)
      throw new OsvUnreachableError(found.message, found.retryAfterMs);
    if (!(found instanceof OsvRefusalError) || queries.length === 1) {
      return queries.map((query) => [query, found]);
    }
    const half = Math.ceil(queries.length / 2);
    const first = await askAll(queries.slice(0, half), within);
    return [...first, ...(await askAll(queries.slice(half), within))];
  };

  const scanAll = async (queries: readonly OsvQuery[]) => {
    const within = patience();
    const found = await askAll(queries, within);
    const ids = found.flatMap(([, known]) => (isSuccess(known) ? [...known] : []));
    const records = await fetchRecords([...new Set(ids)], within);
    return new Map(
      found.map(([query, known]) => [
        query,
        isSuccess(known) ? collectFindings(query, known, records) : known,
      ]),
    );
  };

  return {
    scanVersions: async (ids) => {
      const asked = await Promise.all(
        ids.map(async (id) => ({ id, query: await catchOsvError(() => makeQuery(id)) })),
      );
      const queries = asked.map(({ query }) => query).filter(isSuccess);
      const scanned = await catchOsvError(() => scanAll(queries));
      return asked.map(({ id, query }) => {
        if (!isSuccess(query)) return { id, error: query };
        if (!isSuccess(scanned)) return { id, error: scanned };
        const findings = scanned.get(query) ?? new OsvError('OSV.dev was not asked');
        return isSuccess(findings) ? { id, findings } : { id, error: findings };
      });
    },
  };
};
