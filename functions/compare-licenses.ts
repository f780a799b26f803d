import { endpoint } from '../shared/http/endpoint.ts';
import { routes } from '../shared/routes.ts';
import { compareLicenses } from '../shared/store/licenses/compare-licenses.ts';

export const handler = endpoint(routes.compareLicenses, ({ path: { name, other } }) =>
  compareLicenses(name, other),
);
