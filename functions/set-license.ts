import { protectedEndpoint } from '../shared/http/protected-endpoint.ts';
import { decideLicense } from '../shared/licensing/decide-license.ts';
import { routes } from '../shared/routes.ts';

export const handler = protectedEndpoint(routes.setLicense, ({ path, body, write }) =>
  decideLicense(path.name, body, write),
);
