import * as routes from '../shared/api/routes.ts';
import { endpoint } from '../shared/platform/http/endpoint.ts';
import { makeNextLink } from '../shared/platform/http/page-links.ts';
import { listHistory } from '../shared/use-cases/review/list-history.ts';

export const handler = endpoint(
  routes.listHistory,
  ({ path, query: { before, limit, ...selection } }) =>
    listHistory({ ...path, ...selection }, { before, limit }),
  makeNextLink('before'),
);
