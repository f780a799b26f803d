/** Finds the method that answers a request, as API Gateway matches its resource tree. */
import type { Route } from '../template/model.ts';

export interface Match {
  readonly route: Route;
  /** Still percent-encoded. Null where the path has none. */
  readonly pathParameters: Readonly<Record<string, string>> | null;
}

/** The request's method and its path, without the query. Undefined: no such resource, or not with this method. */
export type Router = (method: string, path: string) => Match | undefined;

const segmentsOf = (path: string): string[] => path.replace(/^\//, '').split('/');

const isParameter = (segment: string): boolean => segment.startsWith('{');

interface ResourcePath {
  readonly segments: readonly string[];
  readonly routes: readonly Route[];
}

/** Of two resources that match a path, the one with a literal segment where they first differ comes first. */
const bySpecificity = (left: ResourcePath, right: ResourcePath): number =>
  rank(left).localeCompare(rank(right));

/** One digit a segment, literal before parameter. */
const rank = ({ segments }: ResourcePath): string =>
  segments.map((segment) => Number(isParameter(segment))).join('');

/** A parameter takes exactly one segment that is not empty. */
const matches = (template: readonly string[], actual: readonly string[]): boolean =>
  template.length === actual.length &&
  template.every((segment, index) =>
    isParameter(segment) ? actual[index] !== '' : actual[index] === segment,
  );

function parameters(
  template: readonly string[],
  actual: readonly string[],
): Match['pathParameters'] {
  const found = template.flatMap((segment, index) =>
    isParameter(segment) ? [[segment.slice(1, -1), actual[index] ?? '']] : [],
  );
  return found.length > 0 ? Object.fromEntries(found) : null;
}

export function createRouter(routes: readonly Route[]): Router {
  const byPath = Map.groupBy(routes, ({ path }) => path);
  const resources = [...byPath].map(
    ([path, group]): ResourcePath => ({ segments: segmentsOf(path), routes: group }),
  );
  return (method, path) => {
    // One slash at the end makes no difference.
    const actual = segmentsOf(path.length > 1 ? path.replace(/\/$/, '') : path);
    const [resource] = resources
      .filter(({ segments }) => matches(segments, actual))
      .sort(bySpecificity);
    const route =
      resource?.routes.find((candidate) => candidate.method === method) ??
      resource?.routes.find((candidate) => candidate.method === 'ANY');
    return resource && route && { route, pathParameters: parameters(resource.segments, actual) };
  };
}
