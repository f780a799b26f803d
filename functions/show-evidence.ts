import * as routes from '../shared/api/routes.ts';
import { readApprovalRules, readFileRules, readOwnInquiries } from '../shared/api/settings/env.ts';
import { endpoint } from '../shared/platform/http/endpoint.ts';
import { showEvidence } from '../shared/use-cases/review/show-evidence.ts';

export const handler = endpoint(routes.showEvidence, ({ path, query }) =>
  showEvidence(
    { ...path, ...query },
    { rules: readApprovalRules(), inquiries: readOwnInquiries(), readFileRules },
    new Date(),
  ),
);
