import * as routes from '../shared/api/routes.ts';
import { isSigning } from '../shared/api/settings/env.ts';
import { endpoint } from '../shared/platform/http/endpoint.ts';
import { showAttestation } from '../shared/use-cases/attestations/show-attestation.ts';

export const handler = endpoint(routes.showAttestation, ({ path, query }) =>
  showAttestation({ ...path, ...query }, { isSigning: isSigning(), now: new Date() }),
);
