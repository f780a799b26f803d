import { readScanPolicy } from '../shared/config/env.ts';
import { toScanResult } from '../shared/domain/scans/scan-result.ts';
import { protectedEndpoint } from '../shared/http/protected-endpoint.ts';
import { routes } from '../shared/routes.ts';
import { readReport } from '../shared/scan-reports/read-report.ts';
import { selectForWrite } from '../shared/store/packages/find-versions.ts';
import { keepScan } from '../shared/store/scans/scans.ts';

export const handler = protectedEndpoint(
  routes.submitScan,
  async ({ path, query, body, write }) => {
    const report = readReport(body);
    const version = await selectForWrite({ ...path, ...query });
    const result = toScanResult(version, report, { policy: readScanPolicy(), now: write.now });
    await keepScan(version, result, write);
    return result;
  },
);
