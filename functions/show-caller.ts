import * as routes from '../shared/api/routes.ts';
import { protectedEndpoint } from '../shared/platform/http/protected-endpoint.ts';

export const handler = protectedEndpoint(routes.showCaller, async ({ caller }) => {
  const { label, scopes, fingerprint, issuer = null, expires } = caller;
  const expires_at = expires?.toISOString() ?? null;
  return { label, scopes, fingerprint, issuer, expires_at };
});
