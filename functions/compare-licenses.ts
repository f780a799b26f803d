import * as routes from '../shared/api/routes.ts';
import { endpoint } from '../shared/platform/http/endpoint.ts';
import { compareLicenses } from '../shared/use-cases/licensing/compare-licenses.ts';

export const handler = endpoint(routes.compareLicenses, ({ path: { name, other } }) =>
  compareLicenses(name, other),
);
