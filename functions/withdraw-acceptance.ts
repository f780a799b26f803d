import * as routes from '../shared/api/routes.ts';
import { readScanPolicy } from '../shared/api/settings/env.ts';
import { protectedEndpoint } from '../shared/platform/http/protected-endpoint.ts';
import { withdrawAcceptance } from '../shared/use-cases/vulnerability-index/end-acceptance.ts';

export const handler = protectedEndpoint(routes.withdrawAcceptance, ({ path, body, write }) =>
  withdrawAcceptance(path, body.reason, { ...write, policy: readScanPolicy() }),
);
