import * as routes from '../shared/api/routes.ts';
import { protectedEndpoint } from '../shared/platform/http/protected-endpoint.ts';
import { recordSnapshot } from '../shared/use-cases/projects/record-snapshot.ts';

export const handler = protectedEndpoint(routes.recordSnapshot, ({ path, body, write }) =>
  recordSnapshot(path.project, body, write),
);
