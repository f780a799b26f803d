import { protectedEndpoint } from '../shared/http/protected-endpoint.ts';
import { routes } from '../shared/routes.ts';

export const handler = protectedEndpoint(routes.showCaller, async ({ caller }) => {
  const { label, scopes, fingerprint } = caller;
  return { label, scopes, fingerprint };
});
