import * as routes from '../shared/api/routes.ts';
import { endpoint } from '../shared/platform/http/endpoint.ts';
import { listDependencies } from '../shared/use-cases/review/list-dependencies.ts';

export const handler = endpoint(routes.listDependencies, ({ path, query }) =>
  listDependencies({ ...path, ...query }, new Date()),
);
