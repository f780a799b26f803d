import * as routes from '../shared/api/routes.ts';
import { readOwnPackages } from '../shared/api/settings/env.ts';
import { refuseLargeReview } from '../shared/ecosystems/docker/gate/admission-review.ts';
import { pinImages } from '../shared/ecosystems/docker/gate/pin-images.ts';
import { questionEndpoint } from '../shared/platform/http/question-endpoint.ts';

export const handler = questionEndpoint(
  routes.pinImages,
  ({ body }) => pinImages(body, { own: readOwnPackages(), now: new Date() }),
  refuseLargeReview,
);
