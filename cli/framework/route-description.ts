import type { Option } from 'commander';
import { routesByName } from '../../shared/api/all-routes.ts';
import type { Route } from '../../shared/api/route.ts';
import { readPathParameters } from '../../shared/api/route-rules.ts';
import type { JsonObject } from '../../shared/util/json.ts';
import type { View } from '../output/result.ts';
import type { Environment } from '../session/environment.ts';
import type { Session } from '../session/session.ts';
import type { BodySource } from './body-source.ts';
import type { Invocation } from './command.ts';
import { type Flag, type FlagDefinition, toFlags, toOptions } from './flag-options.ts';
import type { RouteName } from './route-types.ts';
import { readFields } from './schema-fields.ts';

/** Makes the function that adds fields to the rows of a list. One function completes all pages of a command. */
export type CompleteRows = (
  session: Session,
) => (rows: readonly JsonObject[]) => Promise<readonly JsonObject[]>;

/** A route as its command sees it. */
export interface RouteDescription {
  readonly routeName: RouteName;
  readonly route: Route;
  /** The names of its path parameters, in order. */
  readonly parameters: readonly string[];
  readonly query: readonly Flag[];
  readonly body: readonly Flag[];
  readonly source: BodySource | undefined;
  readonly view: View;
  readonly completeRows: CompleteRows | undefined;
  /** The query parameter that takes the `next` of a page; undefined if the answer has no `next`. */
  readonly nextParameter: string | undefined;
}

/** One call of a route's command. */
export interface Call<Name extends RouteName = RouteName> extends Invocation {
  readonly routeName: Name;
  readonly described: RouteDescription;
  readonly session: Session;
  readonly environment: Environment;
}

/** The parts of a command's definition that its description follows from, besides the route. */
interface Details {
  readonly flags?: Readonly<Record<string, FlagDefinition | undefined>>;
  readonly body?: BodySource | undefined;
  readonly view?: View | undefined;
  readonly completeRows?: CompleteRows | undefined;
}

/** Returns the query parameter that takes the `next` of a page: `after`, or `before` in a list that goes back in time. */
const findNextParameter = (query: readonly { readonly name: string }[]): string | undefined =>
  ['after', 'before'].find((parameter) => query.some(({ name }) => name === parameter));

/** Describes what the command of a route takes and shows, from the route and the command's definition. */
export const describeRoute = (
  routeName: RouteName,
  { flags = {}, body: source, view = {}, completeRows }: Details = {},
): RouteDescription => {
  const route: Route = routesByName[routeName];
  const query = toFlags(readFields(route.query), flags);
  const isInFlags = route.body !== undefined && source?.isWhole !== true;
  return {
    ...{ routeName, route, source, query },
    parameters: readPathParameters(route.path),
    body: isInFlags ? toFlags(readFields(route.body.schema), flags) : [],
    ...{ view, completeRows },
    nextParameter: findNextParameter(query),
  };
};

/** Returns whether a route answers with one page of a longer list. */
export const isPaged = ({ query, nextParameter }: RouteDescription): boolean =>
  nextParameter !== undefined || query.some(({ name }) => name === 'offset');

/** Returns the options of some query parameters of a route, for a command of its own. */
export const listRouteOptions = (routeName: RouteName, names: readonly string[]): Option[] =>
  toOptions(describeRoute(routeName).query.filter(({ name }) => names.includes(name)));
