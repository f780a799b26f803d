import * as routes from '../shared/api/routes.ts';
import { endpoint } from '../shared/platform/http/endpoint.ts';
import { makePageLinks } from '../shared/platform/http/page-links.ts';
import { listVersions } from '../shared/storage/packages/list-versions.ts';

export const handler = endpoint(
  routes.listVersions,
  async ({ path, query: { limit, offset, ...filter } }) => ({
    ...(await listVersions({ ...path, ...filter }, { limit, offset })),
    limit,
    offset,
  }),
  makePageLinks,
);
