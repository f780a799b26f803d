import { isFourEyed, readScanPolicy } from '../shared/config/env.ts';
import { protectedEndpoint } from '../shared/http/protected-endpoint.ts';
import { answerPackage } from '../shared/review/answer-package.ts';
import { decidePackage } from '../shared/review/decide-package.ts';
import { routes } from '../shared/routes.ts';

export const handler = protectedEndpoint(
  routes.rejectPackage,
  ({ path, query, body, caller, write }) =>
    answerPackage(write, (context) =>
      decidePackage(
        { ...path, ...query },
        {
          to: 'rejected',
          by: body.rejected_by,
          reason: body.reason,
          expectedStatus: body.expected_status,
          ownOnly: !caller.scopes.includes(routes.rejectPackage.scope),
          rules: { scanPolicy: readScanPolicy(), fourEyes: isFourEyed() },
        },
        context,
      ),
    ),
);
