import * as routes from '../shared/api/routes.ts';
import { protectedEndpoint } from '../shared/platform/http/protected-endpoint.ts';
import { claimReview } from '../shared/use-cases/review/claim-review.ts';

export const handler = protectedEndpoint(routes.claimReview, ({ path, query, body, write }) =>
  claimReview({ ...path, ...query }, body, write),
);
