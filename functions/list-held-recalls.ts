import * as routes from '../shared/api/routes.ts';
import { endpoint } from '../shared/platform/http/endpoint.ts';
import { makeNextLink } from '../shared/platform/http/page-links.ts';
import { listHeldRecalls } from '../shared/storage/recalls/held-recalls.ts';

export const handler = endpoint(
  routes.listHeldRecalls,
  ({ query }) => listHeldRecalls(query),
  makeNextLink('after'),
);
