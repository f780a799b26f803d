import { page } from '../shared/http/page.ts';
import { pages } from '../shared/pages.ts';
import docs from '../web/docs/page.build.ts';

export const handler = page(pages.showDocs, () => docs.html, {
  'Content-Security-Policy': docs.policy,
  'Referrer-Policy': 'no-referrer',
});
