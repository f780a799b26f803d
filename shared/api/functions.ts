import { type Page, pages } from './non-api-routes.ts';
import type { Route } from './route.ts';
import * as routes from './routes.ts';
import { type Worker, workers } from './workers.ts';

const functions = { ...routes, ...pages, ...workers } as const;

/** What runs as a function of its own: an endpoint, a page or a worker. */
export type RegistryFunctionId = (typeof functions)[keyof typeof functions]['id'];

/** Every function of the registry: its id names its file, its bundle and its construct. */
export const allFunctions: readonly (Route | Page | Worker)[] = Object.values(functions);
