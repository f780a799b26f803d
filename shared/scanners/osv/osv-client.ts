import type { PackageId } from '../../domain/packages/package-id.ts';
import type { Finding } from '../../domain/vulnerabilities/vulnerability.ts';
import { createDeadline } from '../../util/deadline.ts';
import { runInParallel } from '../../util/in-parallel.ts';
import type { OutboundRetryOptions } from '../../util/outbound-http/request-within.ts';
import {
  catchUpstreamError,
  isSuccess,
  UpstreamError,
} from '../../util/outbound-http/upstream-error.ts';
import { exponentialDelay } from '../../util/retry.ts';
import { readOsvFindings } from './findings.ts';
import { createOsvHttp, type OsvSettings } from './osv-http.ts';
import { OsvRecord } from './osv-record.ts';
import { askForIds, type FoundIds, makeQuery, type OsvQuery } from './queries.ts';

const parallelDetails = 8;
const defaultDeadlineMs = 20_000;
const defaultBackoffMs = 250;

/** Result of a scan of one version: its findings, or an error. */
export type VersionScan =
  | { readonly id: PackageId; readonly findings: readonly Finding[] }
  | { readonly id: PackageId; readonly error: UpstreamError };

/** Client for vulnerabilities of package versions in OSV.dev. */
export interface OsvClient {
  /** Returns the findings or the error of each version, with few requests. Never throws. */
  scanVersions(ids: readonly PackageId[]): Promise<VersionScan[]>;
}

/** Returns the findings of a version from fetched records, or an error if a record is missing. */
const collectFindings = (
  { package: osvPackage, version }: OsvQuery,
  ids: Iterable<string>,
  records: ReadonlyMap<string, OsvRecord | UpstreamError>,
): readonly Finding[] | UpstreamError => {
  const needed = [...ids].map(
    (id) => records.get(id) ?? new UpstreamError(`OSV.dev did not return ${id}`),
  );
  const error = needed.find((record) => record instanceof UpstreamError);
  return error ?? readOsvFindings(needed.filter(isSuccess), osvPackage, version);
};

/**
 * Creates a client for the OSV.dev API. Retryable failures are retried before the deadline; malformed responses are
 * errors.
 */
export const createOsvClient = (settings: OsvSettings): OsvClient => {
  const { deadlineMs = defaultDeadlineMs, backoffMs = defaultBackoffMs } = settings;
  const http = createOsvHttp(settings);
  const delayMs = exponentialDelay({ firstMs: backoffMs, longestMs: deadlineMs });
  const startRetries = (): OutboundRetryOptions => ({
    delayMs,
    deadline: createDeadline(deadlineMs),
  });

  const fetchRecords = async (ids: readonly string[], retryOptions: OutboundRetryOptions) => {
    const fetchOne = (id: string) => {
      const path = `/v1/vulns/${encodeURIComponent(id)}`;
      return catchUpstreamError(() => http({ path, answer: OsvRecord }, retryOptions));
    };
    const records = await runInParallel(
      ids,
      parallelDetails,
      async (id) => [id, await fetchOne(id)] as const,
    );
    return new Map(records);
  };

  const scanAll = async (queries: readonly OsvQuery[]) => {
    const retryOptions = startRetries();
    const found = await askForIds(http, queries, retryOptions);
    const ids = [...found.values()].flatMap((known) => (isSuccess(known) ? [...known] : []));
    const records = await fetchRecords([...new Set(ids)], retryOptions);
    const collect = (query: OsvQuery, known: FoundIds): readonly Finding[] | UpstreamError =>
      isSuccess(known) ? collectFindings(query, known, records) : known;
    return new Map([...found].map(([query, known]) => [query, collect(query, known)]));
  };

  return {
    scanVersions: async (ids) => {
      const prepared = await Promise.all(
        ids.map(async (id) => ({ id, query: await catchUpstreamError(() => makeQuery(id)) })),
      );
      const queries = prepared.map(({ query }) => query).filter(isSuccess);
      const scanned = await scanAll(queries);
      return prepared.map(({ id, query }) => {
        if (!isSuccess(query)) return { id, error: query };
        const findings = scanned.get(query) ?? new UpstreamError('OSV.dev was not queried');
        return isSuccess(findings) ? { id, findings } : { id, error: findings };
      });
    },
  };
};
