import { AuditReport } from '../shared/api/schemas/audit.ts';
import { readScanPolicy } from '../shared/api/settings/env.ts';
import { worker } from '../shared/platform/worker/worker.ts';
import { defaultLayout } from '../shared/storage/catalogue/layout.ts';
import { auditCatalogue } from '../shared/store/audit/audit.ts';

export const handler = worker(AuditReport, (request, deadline) =>
  auditCatalogue(request, defaultLayout, deadline, readScanPolicy()),
);
