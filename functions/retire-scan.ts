import { readScanPolicy } from '../shared/config/env.ts';
import { protectedEndpoint } from '../shared/http/protected-endpoint.ts';
import { routes } from '../shared/routes.ts';
import { retireScans } from '../shared/scanning/retire-scans.ts';

export const handler = protectedEndpoint(routes.retireScan, ({ path, query, body, write }) => {
  const { tool, label, number, ...selection } = query;
  const retirement = { tool, label, number, reason: body.reason };
  return retireScans({ ...path, ...selection }, { retirement, policy: readScanPolicy() }, write);
});
