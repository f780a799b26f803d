import * as routes from '../shared/api/routes.ts';
import { readApprovalRules, readOwnInquiries } from '../shared/api/settings/env.ts';
import { endpoint } from '../shared/platform/http/endpoint.ts';
import { makeNextLink } from '../shared/platform/http/page-links.ts';
import { listReviews } from '../shared/use-cases/review/list-reviews.ts';

export const handler = endpoint(
  routes.listReviews,
  ({ query }) =>
    listReviews(query, {
      rules: readApprovalRules(),
      inquiries: readOwnInquiries(),
      now: new Date(),
    }),
  makeNextLink('after'),
);
