import { endpoint } from '../shared/http/endpoint.ts';
import { makeNextLink } from '../shared/http/page-links.ts';
import { routes } from '../shared/routes.ts';
import { listExpirations } from '../shared/store/reviews/due.ts';

export const handler = endpoint(
  routes.listExpirations,
  ({ query }) => listExpirations(query, new Date()),
  makeNextLink('after'),
);
