import * as routes from '../shared/api/routes.ts';
import { ReviewPolicy } from '../shared/api/schemas/policy.ts';
import { readReviewPolicy } from '../shared/api/settings/review-policy.ts';
import { endpoint } from '../shared/platform/http/endpoint.ts';
import { showPolicy } from '../shared/use-cases/policy/show-policy.ts';

const policy = ReviewPolicy.parse(readReviewPolicy());

export const handler = endpoint(routes.showPolicy, () => showPolicy(policy));
