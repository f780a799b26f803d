import * as routes from '../shared/api/routes.ts';
import { makeNextLink } from '../shared/platform/http/page-links.ts';
import { protectedEndpoint } from '../shared/platform/http/protected-endpoint.ts';
import { listProjects } from '../shared/use-cases/projects/list-projects.ts';

export const handler = protectedEndpoint(
  routes.listProjects,
  ({ query }) => listProjects(query),
  makeNextLink('after'),
);
