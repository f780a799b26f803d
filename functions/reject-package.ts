import { isFourEyed, readScanPolicy } from '../shared/config/env.ts';
import { protectedEndpoint } from '../shared/http/protected-endpoint.ts';
import { answerPackage } from '../shared/review/answer-package.ts';
import { decidePackage } from '../shared/review/decide-package.ts';
import { toRejection } from '../shared/review/decision-request.ts';
import { routes } from '../shared/routes.ts';

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
