import * as routes from '../shared/api/routes.ts';
import { endpoint } from '../shared/platform/http/endpoint.ts';
import { makeNextLink } from '../shared/platform/http/page-links.ts';
import { listAttention } from '../shared/storage/reviews/attention.ts';

export const handler = endpoint(
  routes.listAttention,
  ({ query }) => listAttention(query, new Date()),
  makeNextLink('after'),
);
