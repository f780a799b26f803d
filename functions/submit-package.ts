import { makeVersionUrl } from '../shared/http/gateway-request.ts';
import { protectedEndpoint } from '../shared/http/protected-endpoint.ts';
import { submitPackage } from '../shared/review/submit-package.ts';
import { routes } from '../shared/routes.ts';
import { chooseTarget } from '../shared/store/catalogue/target.ts';

export const handler = protectedEndpoint(
  routes.submitPackage,
  ({ body, write }) => submitPackage(body, { ...write, catalogue: chooseTarget() }),
  (detail, event) => ({ Location: makeVersionUrl(event, detail) }),
);
