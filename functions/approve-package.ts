import { isFourEyed, readApprovalDays, readApprovalRules } from '../shared/config/env.ts';
import { protectedEndpoint } from '../shared/http/protected-endpoint.ts';
import { answerPackage } from '../shared/review/answer-package.ts';
import { decidePackage } from '../shared/review/decide-package.ts';
import { routes } from '../shared/routes.ts';

export const handler = protectedEndpoint(routes.approvePackage, ({ path, query, body, write }) =>
  answerPackage(write, (context) =>
    decidePackage(
      { ...path, ...query },
      {
        to: 'approved',
        by: body.approved_by,
        reason: body.reason,
        expectedStatus: body.expected_status,
        override: body.override,
        expires_at: body.expires_at,
        expires_in_days: body.expires_in_days,
        rules: {
          ...readApprovalRules(),
          fourEyes: isFourEyed(),
          approvalDays: readApprovalDays(),
        },
      },
      context,
    ),
  ),
);
