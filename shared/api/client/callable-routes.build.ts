import { routesByName } from '../all-routes.ts';
import type { Route } from '../route.ts';
import type { CallableRoute } from './outgoing.ts';

const rows: Readonly<Record<string, Route>> = routesByName;

const toCallable = ({ method, path, scope, isRepeatable }: Route): CallableRoute => ({
  ...{ method, path },
  ...(scope !== undefined && { scope }),
  ...(isRepeatable !== undefined && { isRepeatable }),
});

/** Fields of all routes that requests need, as JSON for browsers, which get no schemas. */
export default Object.fromEntries(
  Object.entries(rows).map(([name, route]) => [name, toCallable(route)]),
);
