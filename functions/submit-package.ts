import * as routes from '../shared/api/routes.ts';
import { readSubmissionRules } from '../shared/api/settings/env.ts';
import { checkSubmitterName } from '../shared/domain/tokens/given-name.ts';
import { makeVersionUrl } from '../shared/platform/http/gateway-request.ts';
import { protectedEndpoint } from '../shared/platform/http/protected-endpoint.ts';
import { answerPackage } from '../shared/use-cases/review/answer-package.ts';
import { submitPackage } from '../shared/use-cases/review/submit-package.ts';

export const handler = protectedEndpoint(
  routes.submitPackage,
  ({ body, giver, write }) => {
    checkSubmitterName({ field: 'submitted_by', name: body.submitted_by }, giver);
    const rules = readSubmissionRules();
    return answerPackage(write, (context) => submitPackage(body, context, rules));
  },
  (detail, event) => ({ Location: makeVersionUrl(event, detail) }),
);
