/** Finds the method for a request, with the matching rules of API Gateway's resource tree. */
import type { Route } from '../template/model.ts';

export interface Match {
  readonly route: Route;
  /** Path parameters, percent-encoded. Null if the path has none. */
  readonly pathParameters: Readonly<Record<string, string>> | null;
}

/** Returns the route for a method and a path without query, or undefined if no route matches. */
export type Router = (method: string, path: string) => Match | undefined;

const splitPath = (path: string): string[] => path.replace(/^\//, '').split('/');

/**
 * Kind of a path segment: a literal, `{one}` segment, or `{all+}` remaining segments. Only the last segment may be
 * greedy.
 */
type Kind = 'literal' | 'parameter' | 'greedy';

interface Segment {
  readonly kind: Kind;
  /** Literal text or name of the parameter. */
  readonly text: string;
}

const readSegment = (segment: string): Segment => {
  const { name, greedy } = /^\{(?<name>[^+}]*)(?<greedy>\+?)\}$/.exec(segment)?.groups ?? {};
  if (name === undefined) return { kind: 'literal', text: segment };
  return { kind: greedy ? 'greedy' : 'parameter', text: name };
};

/** Returns the part of the path for each segment of a template. A greedy segment gets all remaining parts. */
const alignPath = (template: readonly Segment[], actual: readonly string[]): readonly string[] => {
  if (template.at(-1)?.kind !== 'greedy') return actual;
  const single = template.length - 1;
  return [...actual.slice(0, single), actual.slice(single).join('/')];
};

/**
 * True if the path matches. A parameter matches exactly one non-empty segment, and a greedy parameter all remaining
 * segments.
 */
const matches = (template: readonly Segment[], parts: readonly string[]): boolean =>
  template.length === parts.length &&
  template.every(({ kind, text }, index) =>
    kind === 'literal' ? parts[index] === text : parts[index] !== '',
  );

const readParameters = (
  template: readonly Segment[],
  parts: readonly string[],
): Match['pathParameters'] => {
  const found = template.flatMap(({ kind, text }, index) =>
    kind === 'literal' ? [] : [[text, parts[index] ?? '']],
  );
  return found.length > 0 ? Object.fromEntries(found) : null;
};

interface ResourcePath {
  readonly segments: readonly Segment[];
  readonly routes: readonly Route[];
}

const ranks: Readonly<Record<Kind, number>> = { literal: 0, parameter: 1, greedy: 2 };

/** Returns one digit for each segment, in the order literal, parameter, greedy. */
const rankSegments = ({ segments }: ResourcePath): string =>
  segments.map(({ kind }) => ranks[kind]).join('');

/** Compares two resources. The resource with the more literal segment at their first difference comes first. */
const compareSpecificity = (left: ResourcePath, right: ResourcePath): number =>
  rankSegments(left).localeCompare(rankSegments(right));

/** Returns every resource of the API, the most specific first. */
const listResources = (routes: readonly Route[]): readonly ResourcePath[] =>
  [...Map.groupBy(routes, ({ path }) => path)]
    .map(([path, group]) => ({ segments: splitPath(path).map(readSegment), routes: group }))
    .sort(compareSpecificity);

export const createRouter = (routes: readonly Route[]): Router => {
  const resources = listResources(routes);
  return (method, path) => {
    // One trailing slash is ignored and belongs to no parameter.
    const actual = splitPath(path.length > 1 ? path.replace(/\/$/, '') : path);
    for (const { segments, routes: candidates } of resources) {
      const parts = alignPath(segments, actual);
      if (!matches(segments, parts)) continue;
      const route =
        candidates.find((candidate) => candidate.method === method) ??
        candidates.find((candidate) => candidate.method === 'ANY');
      return route && { route, pathParameters: readParameters(segments, parts) };
    }
    return undefined;
  };
};
