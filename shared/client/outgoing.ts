import type { Route } from '../routes.ts';

/** What an operation is given, before types: path parameters, query parameters and the body. */
export interface RouteInput {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

/** A request as it goes out, without what belongs to the client: the token. */
export interface Outgoing {
  readonly method: Route['method'];
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Whether the text can be a segment of a path. A URL would lose these three, and the request would mean something else. */
export const isSegment = (text: string): boolean => !['', '.', '..'].includes(text);

const segment = (name: string, value: string | undefined): string => {
  if (value === undefined || !isSegment(value)) {
    throw new TypeError(`${name} must not be empty, "." or ".."`);
  }
  return encodeURIComponent(value);
};

const queryString = (query: RouteInput['query'] = {}): string => {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) parameters.set(name, String(value));
  }
  return parameters.size > 0 ? `?${parameters}` : '';
};

/** The request for a route. `base` is the registry's URL, with a stage if it has one. */
export const outgoing = (base: string, route: Route, input: RouteInput): Outgoing => {
  const path = route.path.replace(/\{([^}]+)\}/g, (_, name) => segment(name, input.path?.[name]));
  const hasBody = input.body !== undefined;
  return {
    method: route.method,
    url: `${base.replace(/\/+$/, '')}${path}${queryString(input.query)}`,
    headers: {
      Accept: 'application/json',
      ...(hasBody && { 'Content-Type': 'application/json' }),
    },
    ...(hasBody && { body: JSON.stringify(input.body) }),
  };
};
