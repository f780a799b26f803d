import * as routes from '../shared/api/routes.ts';
import { endpoint } from '../shared/platform/http/endpoint.ts';
import { makePageLinks } from '../shared/platform/http/page-links.ts';
import { listLicenses } from '../shared/use-cases/licensing/list-licenses.ts';

export const handler = endpoint(
  routes.listLicenses,
  async ({ query }) => ({
    ...(await listLicenses(query)),
    limit: query.limit,
    offset: query.offset,
  }),
  makePageLinks,
);
