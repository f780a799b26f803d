import * as routes from '../shared/api/routes.ts';
import { admitPod, refuseLargeReview } from '../shared/ecosystems/docker/gate/admit-pod.ts';
import { questionEndpoint } from '../shared/platform/http/question-endpoint.ts';

export const handler = questionEndpoint(
  routes.admitPod,
  ({ body }) => admitPod(body, new Date()),
  refuseLargeReview,
);
