import * as routes from '../shared/api/routes.ts';
import { Submission } from '../shared/api/schemas/submission.ts';
import { readSubmissionRules } from '../shared/api/settings/env.ts';
import { checkSubmitterName } from '../shared/domain/tokens/given-name.ts';
import { manyEndpoint } from '../shared/platform/http/many-endpoint.ts';
import { checkAgainst } from '../shared/platform/http/validation.ts';
import { answerPackage } from '../shared/use-cases/review/answer-package.ts';
import { submitPackage } from '../shared/use-cases/review/submit-package.ts';

export const handler = manyEndpoint(routes.submitPackages, {
  single: routes.submitPackage,
  list: ({ packages }) => packages,
  read: (sent) => checkAgainst(Submission, sent, 'item'),
  run: (submission, { giver, write, catalogue }) => {
    checkSubmitterName({ field: 'submitted_by', name: submission.submitted_by }, giver);
    const rules = readSubmissionRules();
    return answerPackage(write, (context) => submitPackage(submission, context, rules), catalogue);
  },
});
