import { endpoint } from '../shared/http/endpoint.ts';
import { makeNextLink } from '../shared/http/page-links.ts';
import { listHistory } from '../shared/review/list-history.ts';
import { routes } from '../shared/routes.ts';

export const handler = endpoint(
  routes.listHistory,
  ({ path, query: { before, limit, ...selection } }) =>
    listHistory({ ...path, ...selection }, { before, limit }),
  makeNextLink('before'),
);
