import { isCollectingFacts, isScanning, readApprovalRules } from '../shared/config/env.ts';
import { protectedEndpoint } from '../shared/http/protected-endpoint.ts';
import { previewPolicy } from '../shared/review/preview-policy.ts';
import { routes } from '../shared/routes.ts';

export const handler = protectedEndpoint(routes.previewPolicy, ({ query, body, write }) =>
  previewPolicy(query, {
    policy: body,
    rules: readApprovalRules(),
    inquiries: { isScanning: isScanning(), isCollectingFacts: isCollectingFacts() },
    now: write.now,
  }),
);
