import { protectedEndpoint } from '../shared/http/protected-endpoint.ts';
import { decidePackage } from '../shared/review/decide-package.ts';
import { routes } from '../shared/routes.ts';
import { chooseTarget } from '../shared/store/catalogue/target.ts';

export const handler = protectedEndpoint(routes.rejectPackage, ({ path, query, body, write }) =>
  decidePackage(
    { ...path, ...query },
    {
      to: 'rejected',
      by: body.rejected_by,
      reason: body.reason,
      expectedStatus: body.expected_status,
    },
    { ...write, catalogue: chooseTarget() },
  ),
);
