import { endpoint } from '../shared/http/endpoint.ts';
import { pageLinks } from '../shared/http/page-links.ts';
import { routes } from '../shared/routes.ts';
import { listLicenses } from '../shared/store/licenses/list-licenses.ts';

export const handler = endpoint(
  routes.listLicenses,
  async ({ query }) => ({
    ...(await listLicenses(query)),
    limit: query.limit,
    offset: query.offset,
  }),
  pageLinks,
);
