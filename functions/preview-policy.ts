import * as routes from '../shared/api/routes.ts';
import { readApprovalRules, readOwnInquiries } from '../shared/api/settings/env.ts';
import { protectedEndpoint } from '../shared/platform/http/protected-endpoint.ts';
import { previewPolicy } from '../shared/use-cases/policy/preview-policy.ts';

export const handler = protectedEndpoint(routes.previewPolicy, ({ query, body, write }) =>
  previewPolicy(query, {
    policy: body,
    rules: readApprovalRules(),
    inquiries: readOwnInquiries(),
    now: write.now,
  }),
);
