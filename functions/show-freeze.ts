import * as routes from '../shared/api/routes.ts';
import { endpoint } from '../shared/platform/http/endpoint.ts';
import { showFreeze } from '../shared/use-cases/policy/freeze-registry.ts';

export const handler = endpoint(routes.showFreeze, showFreeze);
