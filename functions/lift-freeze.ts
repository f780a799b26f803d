import * as routes from '../shared/api/routes.ts';
import { protectedEndpoint } from '../shared/platform/http/protected-endpoint.ts';
import { liftFreeze } from '../shared/use-cases/policy/freeze-registry.ts';

export const handler = protectedEndpoint(routes.liftFreeze, ({ write }) => liftFreeze(write));
