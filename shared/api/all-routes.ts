import type { Route } from './route.ts';
import * as routes from './routes.ts';

/** Every endpoint by its name, such as `submitPackage`. */
export type Routes = typeof routes;

/** Every endpoint, for code that looks them up by name. Functions import theirs from `routes.ts` instead. */
export const routesByName: Routes = routes;

/** Every endpoint, as a list. */
export const allRoutes: readonly Route[] = Object.values(routes);
