import * as routes from '../shared/api/routes.ts';
import { readOwnInquiries, readOwnPackages } from '../shared/api/settings/env.ts';
import { refuseLargeReview } from '../shared/ecosystems/docker/gate/admission-review.ts';
import { admitPod } from '../shared/ecosystems/docker/gate/admit-pod.ts';
import { questionEndpoint } from '../shared/platform/http/question-endpoint.ts';

export const handler = questionEndpoint(
  routes.admitPod,
  ({ body }) =>
    admitPod(body, { own: readOwnPackages(), inquiries: readOwnInquiries(), now: new Date() }),
  refuseLargeReview,
);
