import { versionUrl } from '../shared/http/gateway-request.ts';
import { protectedEndpoint } from '../shared/http/protected-endpoint.ts';
import { routes } from '../shared/routes.ts';
import { submitPackage } from '../shared/store/submissions.ts';

export const handler = protectedEndpoint(
  routes.submitPackage,
  ({ body, write }) => submitPackage(body, write),
  (detail, event) => ({ Location: versionUrl(event, detail) }),
);
