import * as routes from '../shared/api/routes.ts';
import { endpoint } from '../shared/platform/http/endpoint.ts';
import { makePageLinks } from '../shared/platform/http/page-links.ts';
import { selectVersion } from '../shared/storage/packages/find-versions.ts';
import { listScans } from '../shared/storage/scans/scans.ts';

export const handler = endpoint(
  routes.listScans,
  async ({ path, query: { limit, offset, ...filter } }) => ({
    ...(await listScans(await selectVersion({ ...path, ...filter }), { limit, offset })),
    offset,
  }),
  makePageLinks,
);
