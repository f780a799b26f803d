import * as routes from '../shared/api/routes.ts';
import { protectedEndpoint } from '../shared/platform/http/protected-endpoint.ts';
import { replaceOwner } from '../shared/use-cases/projects/replace-owner.ts';

export const handler = protectedEndpoint(routes.replaceOwner, ({ body }) => replaceOwner(body));
