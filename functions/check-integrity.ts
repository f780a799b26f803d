import { IntegrityReport } from '../shared/api/schemas/integrity.ts';
import { readScanPolicy } from '../shared/api/settings/env.ts';
import { worker } from '../shared/platform/worker/worker.ts';
import { defaultLayout } from '../shared/storage/catalogue/layout.ts';
import { checkIntegrity } from '../shared/storage/integrity/check-integrity.ts';

export const handler = worker(IntegrityReport, (request, deadline) =>
  checkIntegrity(request, defaultLayout, deadline, readScanPolicy()),
);
