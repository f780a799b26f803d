import page from '../console/page.build.ts';
import { pages } from '../shared/api/non-api-routes.ts';
import { page as serve } from '../shared/platform/http/non-api-endpoint.ts';

/** Its files are below it: at an address with a slash at its end, they are beside it. */
export const handler = serve(
  pages.showConsole,
  ({ path }) => page.html.replaceAll('%FILES%', path.endsWith('/') ? '.' : './console'),
  {
    'Content-Security-Policy': page.policy,
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Opener-Policy': 'same-origin',
  },
);
