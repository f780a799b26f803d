/** Rules that follow from the fields of a route. Browsers, which get routes without schemas, use them too. */
import type { Route } from './route.ts';

/** Default maximum size of a request body, in bytes. A route can set another one. */
export const defaultMaxBytes = 64 * 1024;

/** True if a route needs a token whenever tokens are configured. */
export const isProtected = ({ scope }: Pick<Route, 'scope'>): boolean => scope !== undefined;

/** True if a route accepts an Idempotency-Key: it is protected, and a repeat would change data again. */
export const takesIdempotencyKey = (route: Pick<Route, 'scope' | 'isRepeatable'>): boolean =>
  isProtected(route) && route.isRepeatable !== true;

/** True if a repeated request with the same key gets a replay of the whole first response. */
export const replaysAnswers = (route: Route): boolean => takesIdempotencyKey(route) && !route.many;

/** Returns the names between braces in a path, in order: `name` for `/packages/{name}`. */
export const readPathParameters = (path: string): string[] =>
  [...path.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => name);
