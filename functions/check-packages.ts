import { readApprovalRules, readOriginHosts } from '../shared/config/env.ts';
import { questionEndpoint } from '../shared/http/question-endpoint.ts';
import { checkPackages } from '../shared/review/check-packages.ts';
import { routes } from '../shared/routes.ts';

export const handler = questionEndpoint(routes.checkPackages, ({ body }) =>
  checkPackages(body, { rules: readApprovalRules(), origins: readOriginHosts() }, new Date()),
);
