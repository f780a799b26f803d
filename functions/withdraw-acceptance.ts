import { readScanPolicy } from '../shared/config/env.ts';
import { protectedEndpoint } from '../shared/http/protected-endpoint.ts';
import { withdrawAcceptance } from '../shared/review/end-acceptance.ts';
import { routes } from '../shared/routes.ts';

export const handler = protectedEndpoint(routes.withdrawAcceptance, ({ path, body, write }) =>
  withdrawAcceptance(path, body.reason, { ...write, policy: readScanPolicy() }),
);
