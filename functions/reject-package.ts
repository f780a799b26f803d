import * as routes from '../shared/api/routes.ts';
import { isFourEyed, readScanPolicy } from '../shared/api/settings/env.ts';
import { protectedEndpoint } from '../shared/platform/http/protected-endpoint.ts';
import { answerPackage } from '../shared/use-cases/review/answer-package.ts';
import { decidePackage } from '../shared/use-cases/review/decide-package.ts';
import { toRejection } from '../shared/use-cases/review/decision-request.ts';

export const handler = protectedEndpoint(
  routes.rejectPackage,
  ({ path, query, body, caller, giver, write }) => {
    const rules = { scanPolicy: readScanPolicy(), fourEyes: isFourEyed() };
    const ownOnly = !caller.scopes.includes(routes.rejectPackage.scope);
    return answerPackage(write, (context) =>
      decidePackage(
        { ...path, ...query },
        { ...toRejection(body, rules, giver), ownOnly },
        context,
      ),
    );
  },
);
