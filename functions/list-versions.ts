import { endpoint } from '../shared/http/endpoint.ts';
import { makePageLinks } from '../shared/http/page-links.ts';
import { routes } from '../shared/routes.ts';
import { listVersions } from '../shared/store/packages/find-versions.ts';

export const handler = endpoint(
  routes.listVersions,
  async ({ path, query: { limit, offset, ...filter } }) => ({
    ...(await listVersions({ ...path, ...filter }, { limit, offset })),
    limit,
    offset,
  }),
  makePageLinks,
);
