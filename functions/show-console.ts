import page from '../console/page.build.ts';
import { pages } from '../shared/api/non-api-routes.ts';
import { readOidcOrigins } from '../shared/api/settings/env.ts';
import { page as serve } from '../shared/platform/http/non-api-endpoint.ts';

/** Sets the relative path of the console's files: it depends on whether the page's URL has a trailing slash. */
export const handler = serve(
  pages.showConsole,
  ({ path }) => page.html.replaceAll('%FILES%', path.endsWith('/') ? '.' : './console'),
  {
    'Content-Security-Policy': page.policy.replace(
      '%ORIGINS%',
      readOidcOrigins()
        .map((origin) => ` ${origin}`)
        .join(''),
    ),
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Opener-Policy': 'same-origin',
  },
);
