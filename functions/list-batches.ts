import * as routes from '../shared/api/routes.ts';
import { endpoint } from '../shared/platform/http/endpoint.ts';
import { makeNextLink } from '../shared/platform/http/page-links.ts';
import { listBatches } from '../shared/storage/reviews/batch-list.ts';

export const handler = endpoint(
  routes.listBatches,
  ({ query }) => listBatches(query),
  makeNextLink('before'),
);
