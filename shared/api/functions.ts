import { type Page, pages } from './non-api-routes.ts';
import type { Route } from './route.ts';
import * as routes from './routes.ts';
import { type Worker, workers } from './workers.ts';

const functions = { ...routes, ...pages, ...workers } as const;

/** ID of one deployed function: an endpoint, a page or a worker. */
export type RegistryFunctionId = (typeof functions)[keyof typeof functions]['id'];

/** All functions of the registry. The ID of each names its file, bundle and construct. */
export const allFunctions: readonly (Route | Page | Worker)[] = Object.values(functions);
