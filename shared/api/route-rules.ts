/** Rules that follow from the fields of a route. Browsers use them, too, which get routes without schemas. */
import type { Route } from './route.ts';

/** How many bytes the body of a request may have, unless its route says otherwise. */
export const defaultMaxBytes = 64 * 1024;

/** Whether it needs a token whenever tokens are configured. */
export const isProtected = ({ scope }: Pick<Route, 'scope'>): boolean => scope !== undefined;

/** Whether it takes an Idempotency-Key: whatever may be done only once. */
export const takesIdempotencyKey = (route: Pick<Route, 'scope' | 'changesNothing'>): boolean =>
  isProtected(route) && route.changesNothing !== true;

/** Whether the same request with the same key gets its first answer again, as a whole. */
export const replaysAnswers = (route: Route): boolean => takesIdempotencyKey(route) && !route.many;

/** The names between braces in a path, in order: `name` for `/packages/{name}`. */
export const readPathParameters = (path: string): string[] =>
  [...path.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => name);
