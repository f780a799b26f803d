import { readScanPolicy, readScansPerDay } from '../shared/config/env.ts';
import { protectedEndpoint } from '../shared/http/protected-endpoint.ts';
import { routes } from '../shared/routes.ts';
import { readReport } from '../shared/scan-reports/read-report.ts';
import { uploadScan } from '../shared/scanning/upload-scan.ts';

export const handler = protectedEndpoint(
  routes.submitScan,
  ({ path, query, body, caller, write }) => {
    const { force, ...selection } = query;
    const mayReview = caller.scopes.includes('review');
    const limits = { policy: readScanPolicy(), scansPerDay: readScansPerDay() };
    const upload = { report: readReport(body), force, mayReview, ...limits };
    return uploadScan({ ...path, ...selection }, upload, write);
  },
);
