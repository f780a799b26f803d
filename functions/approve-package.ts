import { readDecisionRules } from '../shared/config/env.ts';
import { protectedEndpoint } from '../shared/http/protected-endpoint.ts';
import { answerPackage } from '../shared/review/answer-package.ts';
import { decidePackage } from '../shared/review/decide-package.ts';
import { toApproval } from '../shared/review/decision-request.ts';
import { routes } from '../shared/routes.ts';

export const handler = protectedEndpoint(
  routes.approvePackage,
  ({ path, query, body, giver, write }) =>
    answerPackage(write, (context) =>
      decidePackage({ ...path, ...query }, toApproval(body, readDecisionRules(), giver), context),
    ),
);
