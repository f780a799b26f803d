import { endpoint } from '../shared/http/endpoint.ts';
import { pageLinks } from '../shared/http/page-links.ts';
import { routes } from '../shared/routes.ts';
import { listVersions } from '../shared/store/package-versions.ts';

export const handler = endpoint(
  routes.listVersions,
  async ({ path, query: { limit, offset, ...filter } }) => ({
    ...(await listVersions({ ...path, ...filter }, { limit, offset })),
    limit,
    offset,
  }),
  pageLinks,
);
