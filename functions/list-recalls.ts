import * as routes from '../shared/api/routes.ts';
import { endpoint } from '../shared/platform/http/endpoint.ts';
import { makeNextLink } from '../shared/platform/http/page-links.ts';
import { listRecalls } from '../shared/storage/recalls/recall-rows.ts';

export const handler = endpoint(
  routes.listRecalls,
  ({ query }) => listRecalls(query),
  makeNextLink('before'),
);
