import { makeVersionUrl } from '../../../../shared/http/gateway-request.ts';
import { protectedEndpoint } from '../../../../shared/http/protected-endpoint.ts';
import { routes } from '../../../../shared/routes.ts';
import { storedPackage } from '../stored.ts';

export const handler = protectedEndpoint(
  routes.submitPackage,
  async () => storedPackage,
  (detail, event) => ({ Location: makeVersionUrl(event, detail) }),
);
