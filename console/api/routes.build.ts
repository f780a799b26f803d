import type { CallableRoute } from '../../shared/api/client/outgoing.ts';
import { type Route, routes } from '../../shared/api/routes.ts';

const rows: Readonly<Record<string, Route>> = routes;

const toCallable = ({ method, path, scope, changesNothing }: Route): CallableRoute => ({
  ...{ method, path },
  ...(scope !== undefined && { scope }),
  ...(changesNothing !== undefined && { changesNothing }),
});

/** Of each row of the route table what a request is built by: browsers get no schemas. */
export default Object.fromEntries(
  Object.entries(rows).map(([name, route]) => [name, toCallable(route)]),
);
