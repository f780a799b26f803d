import { approvedLicenseRequired } from '../shared/config/env.ts';
import { protectedEndpoint } from '../shared/http/protected-endpoint.ts';
import { routes } from '../shared/routes.ts';
import { approvalObjections } from '../shared/store/approval-objections.ts';
import { decide } from '../shared/store/decisions.ts';

export const handler = protectedEndpoint(routes.approvePackage, ({ path, query, body, write }) =>
  decide(
    { ...path, ...query },
    {
      to: 'approved',
      by: body.approved_by,
      reason: body.reason,
      expectedStatus: body.expected_status,
      override: body.override,
      objections: approvalObjections({ requireApprovedLicense: approvedLicenseRequired() }),
    },
    write,
  ),
);
