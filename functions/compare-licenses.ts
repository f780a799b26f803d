import { endpoint } from '../shared/http/endpoint.ts';
import { compareLicenses } from '../shared/licensing/compare-licenses.ts';
import { routes } from '../shared/routes.ts';

export const handler = endpoint(routes.compareLicenses, ({ path: { name, other } }) =>
  compareLicenses(name, other),
);
