import * as routes from '../shared/api/routes.ts';
import { readScanPolicy, readScansPerDay } from '../shared/api/settings/env.ts';
import { protectedEndpoint } from '../shared/platform/http/protected-endpoint.ts';
import { readReport } from '../shared/scanners/formats/read-report.ts';
import { uploadScan } from '../shared/use-cases/scanning/upload-scan.ts';

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
