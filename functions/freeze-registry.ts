import * as routes from '../shared/api/routes.ts';
import { protectedEndpoint } from '../shared/platform/http/protected-endpoint.ts';
import { freezeRegistry } from '../shared/use-cases/policy/freeze-registry.ts';

export const handler = protectedEndpoint(routes.freezeRegistry, ({ body, write }) =>
  freezeRegistry(body, write),
);
