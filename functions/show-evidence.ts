import { readApprovalRules } from '../shared/config/env.ts';
import { endpoint } from '../shared/http/endpoint.ts';
import { showEvidence } from '../shared/review/show-evidence.ts';
import { routes } from '../shared/routes.ts';

export const handler = endpoint(routes.showEvidence, ({ path, query }) =>
  showEvidence({ ...path, ...query }, readApprovalRules(), new Date()),
);
