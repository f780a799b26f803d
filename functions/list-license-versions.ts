import * as routes from '../shared/api/routes.ts';
import { endpoint } from '../shared/platform/http/endpoint.ts';
import { makeNextLink } from '../shared/platform/http/page-links.ts';
import { listLicenseVersions } from '../shared/use-cases/licensing/list-license-versions.ts';

export const handler = endpoint(
  routes.listLicenseVersions,
  ({ path, query }) => listLicenseVersions(path.name, query),
  makeNextLink('after'),
);
