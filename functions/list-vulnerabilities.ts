import * as routes from '../shared/api/routes.ts';
import { endpoint } from '../shared/platform/http/endpoint.ts';
import { makeNextLink } from '../shared/platform/http/page-links.ts';
import { listVulnerabilities } from '../shared/use-cases/vulnerability-index/list-vulnerabilities.ts';

export const handler = endpoint(
  routes.listVulnerabilities,
  ({ query }) => listVulnerabilities(query),
  makeNextLink('after'),
);
