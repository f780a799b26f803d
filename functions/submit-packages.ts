import { readSubmissionRules } from '../shared/config/env.ts';
import { checkSubmitterName } from '../shared/domain/given-name.ts';
import { manyEndpoint } from '../shared/http/many-endpoint.ts';
import { checkAgainst } from '../shared/http/validation.ts';
import { answerPackage } from '../shared/review/answer-package.ts';
import { submitPackage } from '../shared/review/submit-package.ts';
import { routes } from '../shared/routes.ts';
import { Submission } from '../shared/schemas/submission.ts';

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
