import { protectedEndpoint } from '../shared/http/protected-endpoint.ts';
import { routes } from '../shared/routes.ts';
import { decide } from '../shared/store/decisions.ts';

export const handler = protectedEndpoint(routes.rejectPackage, ({ path, query, body, write }) =>
  decide(
    { ...path, ...query },
    {
      to: 'rejected',
      by: body.rejected_by,
      reason: body.reason,
      expectedStatus: body.expected_status,
    },
    write,
  ),
);
