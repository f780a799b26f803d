import { endpoint } from '../shared/http/endpoint.ts';
import { pageLinks } from '../shared/http/page-links.ts';
import { routes } from '../shared/routes.ts';
import { selectVersion } from '../shared/store/package-versions.ts';
import { listScans } from '../shared/store/scans.ts';

export const handler = endpoint(
  routes.listScans,
  async ({ path, query: { limit, offset, ...filter } }) => ({
    ...(await listScans(await selectVersion({ ...path, ...filter }), { limit, offset })),
    offset,
  }),
  pageLinks,
);
