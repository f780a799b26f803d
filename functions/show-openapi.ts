import { findBaseUrl } from '../shared/http/gateway-request.ts';
import { page } from '../shared/http/page.ts';
import document from '../shared/openapi/document.build.ts';
import { pages } from '../shared/pages.ts';

/** Names the address by which it was asked as the server, so that whoever reads it can call the registry. */
export const handler = page(pages.showOpenapi, (event) =>
  JSON.stringify({ ...document, servers: [{ url: findBaseUrl(event) }] }),
);
