import * as routes from '../shared/api/routes.ts';
import { readDecisionRules } from '../shared/api/settings/env.ts';
import { protectedEndpoint } from '../shared/platform/http/protected-endpoint.ts';
import { answerPackage } from '../shared/use-cases/review/answer-package.ts';
import { decidePackage } from '../shared/use-cases/review/decide-package.ts';
import { toApproval } from '../shared/use-cases/review/decision-request.ts';

export const handler = protectedEndpoint(
  routes.approvePackage,
  ({ path, query, body, giver, write }) =>
    answerPackage(write, (context) =>
      decidePackage({ ...path, ...query }, toApproval(body, readDecisionRules(), giver), context),
    ),
);
