import * as routes from '../shared/api/routes.ts';
import {
  readApprovalRules,
  readOriginHosts,
  readOwnInquiries,
  readOwnPackages,
} from '../shared/api/settings/env.ts';
import { questionEndpoint } from '../shared/platform/http/question-endpoint.ts';
import { checkPackages } from '../shared/use-cases/package-check/check-packages.ts';

export const handler = questionEndpoint(routes.checkPackages, ({ body }) =>
  checkPackages(
    body,
    {
      rules: readApprovalRules(),
      origins: readOriginHosts(),
      own: readOwnPackages(),
      inquiries: readOwnInquiries(),
    },
    new Date(),
  ),
);
