import * as routes from '../shared/api/routes.ts';
import { readScanPolicy } from '../shared/api/settings/env.ts';
import { protectedEndpoint } from '../shared/platform/http/protected-endpoint.ts';
import { dismissScans } from '../shared/use-cases/scanning/dismiss-scans.ts';

export const handler = protectedEndpoint(routes.dismissScan, ({ path, query, body, write }) => {
  const { tool, label, number, ...selection } = query;
  const dismissal = { tool, label, number, reason: body.reason };
  return dismissScans({ ...path, ...selection }, { dismissal, policy: readScanPolicy() }, write);
});
