import type { Page } from './non-api-routes.ts';
import type { Access, SettingId } from './resources.ts';
import type { Route } from './route.ts';
import type { Worker } from './workers.ts';

/**
 * Settings that only functions have which send requests to other services. The address of an origin is none: the gate redirects
 * there, and dependency files are compared with it.
 */
const requestSettings: readonly SettingId[] = ['originTimeoutMs', 'osvTimeoutMs', 'trustedRootUrl'];

/** True if a function verifies ID tokens, for which it fetches the keys of their issuers. */
const verifiesIdTokens = (definition: Route | Page | Worker): boolean =>
  'scope' in definition && definition.scope !== undefined;

/**
 * True if a function sends requests to services outside AWS. `access` is all access of the function in a deployment, and
 * `trustsIssuers` says whether the deployment trusts issuers of ID tokens.
 */
export const sendsRequests = (
  definition: Route | Page | Worker,
  access: readonly Access[],
  trustsIssuers: boolean,
): boolean =>
  (trustsIssuers && verifiesIdTokens(definition)) ||
  access.some(({ settings = [] }) => settings.some((id) => requestSettings.includes(id)));
