import { isFourEyed, readApprovalDays, readApprovalRules } from '../shared/config/env.ts';
import { manyEndpoint } from '../shared/http/many-endpoint.ts';
import { checkAgainst } from '../shared/http/validation.ts';
import { answerPackage } from '../shared/review/answer-package.ts';
import { decidePackage } from '../shared/review/decide-package.ts';
import { toApproval, toRejection } from '../shared/review/decision-request.ts';
import { routes } from '../shared/routes.ts';
import { choosePackageDecision, type PackageDecision } from '../shared/schemas/many.ts';

const toRequest = (decision: PackageDecision) => {
  const rules = {
    ...readApprovalRules(),
    fourEyes: isFourEyed(),
    approvalDays: readApprovalDays(),
  };
  return decision.action === 'approve' ? toApproval(decision, rules) : toRejection(decision, rules);
};

export const handler = manyEndpoint(routes.decidePackages, {
  single: routes.approvePackage,
  list: ({ decisions }) => decisions,
  read: (sent) => checkAgainst(choosePackageDecision(sent), sent, 'item'),
  run: (decision, write, catalogue) =>
    answerPackage(
      write,
      (context) => decidePackage(decision, toRequest(decision), context),
      catalogue,
    ),
});
