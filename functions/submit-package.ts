import { readSubmissionRules } from '../shared/config/env.ts';
import { checkSubmitterName } from '../shared/domain/given-name.ts';
import { makeVersionUrl } from '../shared/http/gateway-request.ts';
import { protectedEndpoint } from '../shared/http/protected-endpoint.ts';
import { answerPackage } from '../shared/review/answer-package.ts';
import { submitPackage } from '../shared/review/submit-package.ts';
import { routes } from '../shared/routes.ts';

export const handler = protectedEndpoint(
  routes.submitPackage,
  ({ body, giver, write }) => {
    checkSubmitterName({ field: 'submitted_by', name: body.submitted_by }, giver);
    const rules = readSubmissionRules();
    return answerPackage(write, (context) => submitPackage(body, context, rules));
  },
  (detail, event) => ({ Location: makeVersionUrl(event, detail) }),
);
