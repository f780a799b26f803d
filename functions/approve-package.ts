import { protectedEndpoint } from '../shared/http/protected-endpoint.ts';
import { routes } from '../shared/routes.ts';
import { decide } from '../shared/store/decisions.ts';

export const handler = protectedEndpoint(routes.approvePackage, ({ path, query, body, write }) =>
  decide(
    { ...path, ...query },
    { to: 'approved', by: body.approved_by, reason: body.reason },
    write,
  ),
);
