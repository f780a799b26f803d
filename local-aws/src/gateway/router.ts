/** Finds the method that answers a request, as API Gateway matches its resource tree. */
import type { Route } from '../template/model.ts';

export interface Match {
  readonly route: Route;
  /** Still percent-encoded. Null where the path has none. */
  readonly pathParameters: Readonly<Record<string, string>> | null;
}

/** The request's method and its path, without the query. Undefined: no such resource, or not with this method. */
export type Router = (method: string, path: string) => Match | undefined;

const splitPath = (path: string): string[] => path.replace(/^\//, '').split('/');

/** A segment of a path template: a literal, `{one}` segment, or `{all+}` that are left, which only the last one may be. */
type Kind = 'literal' | 'parameter' | 'greedy';

interface Segment {
  readonly kind: Kind;
  /** The literal, or the parameter's name. */
  readonly text: string;
}

const readSegment = (segment: string): Segment => {
  const { name, greedy } = /^\{(?<name>[^+}]*)(?<greedy>\+?)\}$/.exec(segment)?.groups ?? {};
  if (name === undefined) return { kind: 'literal', text: segment };
  return { kind: greedy ? 'greedy' : 'parameter', text: name };
};

/** The part of the path that each segment of a template stands for. */
const alignPath = (template: readonly Segment[], actual: readonly string[]): readonly string[] => {
  if (template.at(-1)?.kind !== 'greedy') return actual;
  const single = template.length - 1;
  return [...actual.slice(0, single), actual.slice(single).join('/')];
};

/** A parameter takes exactly one segment that is not empty, a greedy one everything that is left. */
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

/** One digit a segment: literal before parameter before greedy. */
const rankSegments = ({ segments }: ResourcePath): string =>
  segments.map(({ kind }) => ranks[kind]).join('');

/** Of two resources that match a path, the one that is more literal where they first differ comes first. */
const compareSpecificity = (left: ResourcePath, right: ResourcePath): number =>
  rankSegments(left).localeCompare(rankSegments(right));

/** Every resource of the API, the most specific one first. */
const listResources = (routes: readonly Route[]): readonly ResourcePath[] =>
  [...Map.groupBy(routes, ({ path }) => path)]
    .map(([path, group]) => ({ segments: splitPath(path).map(readSegment), routes: group }))
    .sort(compareSpecificity);

export const createRouter = (routes: readonly Route[]): Router => {
  const resources = listResources(routes);
  return (method, path) => {
    // One slash at the end makes no difference, and is part of no parameter.
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
