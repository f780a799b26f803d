import {
  listCandidateEcosystems,
  type PackageSelector,
} from '../../shared/domain/packages/package-id.ts';
import { fileEcosystems } from '../../shared/ecosystems/ecosystem.ts';
import { matchFetchedPaths } from './fetched-paths.ts';

/** Version whose requests are searched. Without an ecosystem, every ecosystem that allows the name. */
export type FetchedVersion = PackageSelector & { readonly version: string };

/** Most requests in a result; CloudWatch Logs Insights returns no more. */
export const mostRows = 10_000;

/** Parts of a query of CloudWatch Logs Insights. */
interface QueryParts {
  readonly fields: string[];
  readonly filterStatements: string[];
  readonly sort: string;
  readonly limit: number;
}

/**
 * Returns the query for the requests to the gate for a version. Request lines have no address of the client; the access log has it
 * by the same `request_id`.
 * @throws {Error} if no gate serves such a version
 */
export const makeFetchedQuery = (selector: FetchedVersion): QueryParts => {
  const candidates = listCandidateEcosystems(selector);
  const patterns = fileEcosystems
    .filter((ecosystem) => candidates.includes(ecosystem))
    .map((ecosystem) => `(?:${matchFetchedPaths(ecosystem, selector)})`);
  if (patterns.length === 0) throw new Error('The dependency firewall serves no such version.');
  return {
    fields: ['@timestamp', 'status', 'method', 'path', 'request_id'],
    filterStatements: ['event = "request"', `path like /${patterns.join('|')}/`],
    sort: '@timestamp desc',
    limit: mostRows,
  };
};

/** Returns a query as text. */
export const formatQuery = ({ fields, filterStatements, sort, limit }: QueryParts): string =>
  [
    `fields ${fields.join(', ')}`,
    ...filterStatements.map((statement) => `filter ${statement}`),
    ...[`sort ${sort}`, `limit ${limit}`],
  ].join('\n| ');
