import { pages } from '../shared/api/non-api-routes.ts';
import document from '../shared/api/openapi/document.build.ts';
import { findBaseUrl } from '../shared/platform/http/gateway-request.ts';
import { page } from '../shared/platform/http/non-api-endpoint.ts';

/** Serves the OpenAPI document with the request's base URL as its server, so that readers can call the registry. */
export const handler = page(pages.showOpenapi, (event) =>
  JSON.stringify({ ...document, servers: [{ url: findBaseUrl(event) }] }),
);
