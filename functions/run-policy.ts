import * as routes from '../shared/api/routes.ts';
import { readReviewPolicy } from '../shared/api/settings/review-policy.ts';
import { protectedEndpoint } from '../shared/platform/http/protected-endpoint.ts';
import { runPolicy } from '../shared/use-cases/policy/policy-status.ts';

const policy = readReviewPolicy();

export const handler = protectedEndpoint(routes.runPolicy, ({ write }) =>
  runPolicy(policy, write.now),
);
