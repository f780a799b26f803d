import { endpoint } from '../shared/http/endpoint.ts';
import { routes } from '../shared/routes.ts';
import { toDetail } from '../shared/store/package-item.ts';
import { selectVersion } from '../shared/store/package-versions.ts';

export const handler = endpoint(routes.showPackage, async ({ path, query }) =>
  toDetail(await selectVersion({ ...path, ...query })),
);
