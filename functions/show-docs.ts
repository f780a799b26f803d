import { pages } from '../shared/api/non-api-routes.ts';
import { page } from '../shared/platform/http/non-api-endpoint.ts';
import docs from '../web/docs/page.build.ts';

export const handler = page(pages.showDocs, () => docs.html, {
  'Content-Security-Policy': docs.policy,
  'Referrer-Policy': 'no-referrer',
});
