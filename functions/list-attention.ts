import { endpoint } from '../shared/http/endpoint.ts';
import { makeNextLink } from '../shared/http/page-links.ts';
import { routes } from '../shared/routes.ts';
import { listAttention } from '../shared/store/reviews/attention.ts';

export const handler = endpoint(
  routes.listAttention,
  ({ query }) => listAttention(query, new Date()),
  makeNextLink('after'),
);
