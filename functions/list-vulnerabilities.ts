import { endpoint } from '../shared/http/endpoint.ts';
import { makeNextLink } from '../shared/http/page-links.ts';
import { routes } from '../shared/routes.ts';
import { listVulnerabilities } from '../shared/vulnerabilities/list-vulnerabilities.ts';

export const handler = endpoint(
  routes.listVulnerabilities,
  ({ query }) => listVulnerabilities(query),
  makeNextLink('after'),
);
