import { isFourEyed } from '../shared/config/env.ts';
import { makeVersionUrl } from '../shared/http/gateway-request.ts';
import { protectedEndpoint } from '../shared/http/protected-endpoint.ts';
import { answerPackage } from '../shared/review/answer-package.ts';
import { submitPackage } from '../shared/review/submit-package.ts';
import { routes } from '../shared/routes.ts';

export const handler = protectedEndpoint(
  routes.submitPackage,
  ({ body, write }) =>
    answerPackage(write, (context) => submitPackage(body, context, { fourEyes: isFourEyed() })),
  (detail, event) => ({ Location: makeVersionUrl(event, detail) }),
);
