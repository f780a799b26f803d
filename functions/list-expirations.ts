import * as routes from '../shared/api/routes.ts';
import { endpoint } from '../shared/platform/http/endpoint.ts';
import { makeNextLink } from '../shared/platform/http/page-links.ts';
import { listExpirations } from '../shared/storage/reviews/due.ts';

export const handler = endpoint(
  routes.listExpirations,
  ({ query }) => listExpirations(query, new Date()),
  makeNextLink('after'),
);
