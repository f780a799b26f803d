import type { Route } from '../route.ts';
import { readPathParameters, takesIdempotencyKey } from '../route-rules.ts';

/** Fields of a route that build a request. */
export type CallableRoute = Pick<Route, 'method' | 'path' | 'scope' | 'isRepeatable'>;

/** Input of any operation: path parameters, query parameters and the body. */
export interface RouteInput {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

/** HTTP request without the headers that its sender adds: the token and the idempotency key. */
export interface Outgoing {
  readonly method: Route['method'];
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** True if the request has no side effects, so that a repeat is harmless. */
  readonly isQuestion: boolean;
}

/**
 * True if a text can be a segment of a path. A URL does not preserve the other three, so the request would change its
 * meaning.
 */
export const isPathSegment = (text: string): boolean => !['', '.', '..'].includes(text);

const writeSegment = (name: string, value: string | undefined): string => {
  if (value === undefined || !isPathSegment(value)) {
    throw new TypeError(`${name} must not be empty, "." or ".."`);
  }
  return encodeURIComponent(value);
};

const writeQuery = (query: RouteInput['query'] = {}): string => {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) parameters.set(name, String(value));
  }
  return parameters.size > 0 ? `?${parameters}` : '';
};

const writePath = ({ path }: CallableRoute, values: RouteInput['path'] = {}): string =>
  readPathParameters(path).reduce(
    (filled, name) => filled.replace(`{${name}}`, () => writeSegment(name, values[name])),
    path,
  );

/**
 * Builds the request for a route. `base` is the registry's URL, with a stage if it has one.
 * @throws {TypeError} if a path parameter is missing, or cannot be a segment
 */
export const buildRequest = (base: string, route: CallableRoute, input: RouteInput): Outgoing => {
  const path = writePath(route, input.path);
  const hasBody = input.body !== undefined;
  return {
    method: route.method,
    url: `${base.replace(/\/+$/, '')}${path}${writeQuery(input.query)}`,
    headers: {
      Accept: 'application/json',
      ...(hasBody && { 'Content-Type': 'application/json' }),
    },
    ...(hasBody && { body: JSON.stringify(input.body) }),
    isQuestion: !takesIdempotencyKey(route),
  };
};
