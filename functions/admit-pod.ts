import { admitPod, refuseLargeReview } from '../shared/gate/kubernetes/admit-pod.ts';
import { questionEndpoint } from '../shared/http/question-endpoint.ts';
import { routes } from '../shared/routes.ts';

export const handler = questionEndpoint(
  routes.admitPod,
  ({ body }) => admitPod(body, new Date()),
  refuseLargeReview,
);
