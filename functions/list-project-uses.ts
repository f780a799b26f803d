import * as routes from '../shared/api/routes.ts';
import { protectedEndpoint } from '../shared/platform/http/protected-endpoint.ts';
import { listProjectUses } from '../shared/use-cases/projects/list-project-uses.ts';

export const handler = protectedEndpoint(routes.listProjectUses, ({ body }) =>
  listProjectUses(body),
);
