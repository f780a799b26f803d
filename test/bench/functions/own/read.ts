import { endpoint } from '../../../../shared/http/endpoint.ts';
import { routes } from '../../../../shared/routes.ts';
import { storedPackage } from '../stored.ts';

export const handler = endpoint(routes.showPackage, async () => storedPackage);
