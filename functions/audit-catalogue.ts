import { readScanPolicy } from '../shared/config/env.ts';
import { AuditReport } from '../shared/schemas/audit.ts';
import { auditCatalogue } from '../shared/store/audit/audit.ts';
import { defaultLayout } from '../shared/store/catalogue/layout.ts';
import { worker } from '../shared/worker/worker.ts';

export const handler = worker(AuditReport, (request, deadline) =>
  auditCatalogue(request, defaultLayout, deadline, readScanPolicy()),
);
