import * as routes from '../shared/api/routes.ts';
import { choosePackageDecision, type PackageDecision } from '../shared/api/schemas/many.ts';
import { readDecisionRules } from '../shared/api/settings/env.ts';
import type { Caller } from '../shared/domain/tokens/actor.ts';
import type { NameGiver } from '../shared/domain/tokens/given-name.ts';
import { manyEndpoint } from '../shared/platform/http/many-endpoint.ts';
import { checkScope } from '../shared/platform/http/scope-check.ts';
import { checkAgainst } from '../shared/platform/http/validation.ts';
import { answerPackage } from '../shared/use-cases/review/answer-package.ts';
import { decidePackage } from '../shared/use-cases/review/decide-package.ts';
import { toApproval, toRejection } from '../shared/use-cases/review/decision-request.ts';

/** Returns the decision that an item requests. A token without the review scope may reject only its own submissions. */
const toRequest = (
  decision: PackageDecision,
  { caller, giver }: { readonly caller: Caller; readonly giver: NameGiver },
) => {
  checkScope(decision.action === 'approve' ? routes.approvePackage : routes.rejectPackage, caller);
  const ownOnly = !caller.scopes.includes(routes.rejectPackage.scope);
  const rules = readDecisionRules();
  return decision.action === 'approve'
    ? toApproval(decision, rules, giver)
    : { ...toRejection(decision, rules, giver), ownOnly };
};

export const handler = manyEndpoint(routes.decidePackages, {
  single: routes.approvePackage,
  list: ({ decisions }) => decisions,
  read: (sent) => checkAgainst(choosePackageDecision(sent), sent, 'item'),
  run: (decision, { caller, giver, write, catalogue }) =>
    answerPackage(
      write,
      (context) => decidePackage(decision, toRequest(decision, { caller, giver }), context),
      catalogue,
    ),
});
