import * as routes from '../shared/api/routes.ts';
import { makeNextLink } from '../shared/platform/http/page-links.ts';
import { protectedEndpoint } from '../shared/platform/http/protected-endpoint.ts';
import { showPackageProjects } from '../shared/use-cases/projects/show-uses.ts';

export const handler = protectedEndpoint(
  routes.listPackageProjects,
  ({ path, query }) => showPackageProjects(path.name, query),
  makeNextLink('after'),
);
