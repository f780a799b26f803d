import * as routes from '../shared/api/routes.ts';
import { protectedEndpoint } from '../shared/platform/http/protected-endpoint.ts';
import { removeRef } from '../shared/use-cases/projects/remove-ref.ts';

export const handler = protectedEndpoint(routes.removeProject, ({ path, query, write }) =>
  removeRef({ ...path, ...query }, write),
);
