import { endpoint } from '../shared/http/endpoint.ts';
import { makePageLinks } from '../shared/http/page-links.ts';
import { routes } from '../shared/routes.ts';
import { selectVersion } from '../shared/store/packages/find-versions.ts';
import { listScans } from '../shared/store/scans/scans.ts';

export const handler = endpoint(
  routes.listScans,
  async ({ path, query: { limit, offset, ...filter } }) => ({
    ...(await listScans(await selectVersion({ ...path, ...filter }), { limit, offset })),
    offset,
  }),
  makePageLinks,
);
