import * as routes from '../shared/api/routes.ts';
import { readOwnPackages, readScanPolicy } from '../shared/api/settings/env.ts';
import { makeNextLink } from '../shared/platform/http/page-links.ts';
import { protectedEndpoint } from '../shared/platform/http/protected-endpoint.ts';
import { showProject } from '../shared/use-cases/projects/show-project.ts';

export const handler = protectedEndpoint(
  routes.showProject,
  ({ path, query, write }) =>
    showProject(path.project, query, {
      now: write.now,
      policy: readScanPolicy(),
      own: readOwnPackages(),
    }),
  makeNextLink('after'),
);
