import * as routes from '../shared/api/routes.ts';
import { isSigning } from '../shared/api/settings/env.ts';
import { endpoint } from '../shared/platform/http/endpoint.ts';
import { showKeys } from '../shared/use-cases/attestations/show-keys.ts';

/** Caches may keep the key for five minutes: it changes only with a deployment. */
const cacheControl = { 'Cache-Control': 'public, max-age=300' };

export const handler = endpoint(
  routes.showKeys,
  () => showKeys({ isSigning: isSigning() }),
  () => cacheControl,
);
