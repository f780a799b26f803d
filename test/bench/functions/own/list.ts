import { endpoint } from '../../../../shared/http/endpoint.ts';
import { makePageLinks } from '../../../../shared/http/page-links.ts';
import { routes } from '../../../../shared/routes.ts';
import { storedPage } from '../stored.ts';

export const handler = endpoint(routes.listPackages, async () => storedPage, makePageLinks);
