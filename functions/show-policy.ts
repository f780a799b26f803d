import * as routes from '../shared/api/routes.ts';
import { readReviewPolicy } from '../shared/api/settings/review-policy.ts';
import { endpoint } from '../shared/platform/http/endpoint.ts';
import { showPolicy } from '../shared/use-cases/policy/policy-status.ts';

const policy = readReviewPolicy();

export const handler = endpoint(routes.showPolicy, () => showPolicy(policy));
