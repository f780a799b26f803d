import { endpoint } from '../shared/http/endpoint.ts';
import { makePageLinks } from '../shared/http/page-links.ts';
import { listLicenses } from '../shared/licensing/list-licenses.ts';
import { routes } from '../shared/routes.ts';

export const handler = endpoint(
  routes.listLicenses,
  async ({ query }) => ({
    ...(await listLicenses(query)),
    limit: query.limit,
    offset: query.offset,
  }),
  makePageLinks,
);
