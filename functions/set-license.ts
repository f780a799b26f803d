import { protectedEndpoint } from '../shared/http/protected-endpoint.ts';
import { routes } from '../shared/routes.ts';
import { decideLicense } from '../shared/store/licenses/decide-license.ts';

export const handler = protectedEndpoint(routes.setLicense, ({ path, body, write }) =>
  decideLicense(path.name, body, write),
);
