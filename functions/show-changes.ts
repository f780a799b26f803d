import * as routes from '../shared/api/routes.ts';
import { endpoint } from '../shared/platform/http/endpoint.ts';
import { showChanges } from '../shared/use-cases/review/show-changes.ts';

export const handler = endpoint(routes.showChanges, ({ path, query }) =>
  showChanges({ ...path, ...query }, new Date()),
);
