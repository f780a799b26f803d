import { type Route, routes } from '../routes.ts';
import type { CallableRoute } from './outgoing.ts';

const rows: Readonly<Record<string, Route>> = routes;

const toCallable = ({ method, path, scope, changesNothing }: Route): CallableRoute => ({
  ...{ method, path },
  ...(scope !== undefined && { scope }),
  ...(changesNothing !== undefined && { changesNothing }),
});

/** The parts of the route table that build requests, as JSON for browsers, which get no schemas. */
export default Object.fromEntries(
  Object.entries(rows).map(([name, route]) => [name, toCallable(route)]),
);
