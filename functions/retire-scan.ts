import * as routes from '../shared/api/routes.ts';
import { readScanPolicy } from '../shared/api/settings/env.ts';
import { protectedEndpoint } from '../shared/platform/http/protected-endpoint.ts';
import { retireScans } from '../shared/use-cases/scanning/retire-scans.ts';

export const handler = protectedEndpoint(routes.retireScan, ({ path, query, body, write }) => {
  const { tool, label, number, ...selection } = query;
  const retirement = { tool, label, number, reason: body.reason };
  return retireScans({ ...path, ...selection }, { retirement, policy: readScanPolicy() }, write);
});
