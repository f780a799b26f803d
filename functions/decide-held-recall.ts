import * as routes from '../shared/api/routes.ts';
import { protectedEndpoint } from '../shared/platform/http/protected-endpoint.ts';
import { decideHeldRecall } from '../shared/use-cases/recalls/decide-held-recall.ts';

export const handler = protectedEndpoint(routes.decideHeldRecall, ({ path, body, write }) =>
  decideHeldRecall({ ...path, ...body }, write),
);
