import * as routes from '../shared/api/routes.ts';
import { readApprovalRules, readOwnInquiries } from '../shared/api/settings/env.ts';
import { endpoint } from '../shared/platform/http/endpoint.ts';
import { summarizeReviews } from '../shared/use-cases/review/summarize-reviews.ts';

export const handler = endpoint(routes.summarizeReviews, ({ query }) =>
  summarizeReviews(query, {
    rules: readApprovalRules(),
    inquiries: readOwnInquiries(),
    now: new Date(),
  }),
);
