import { readScanPolicy } from '../shared/config/env.ts';
import { IntegrityReport } from '../shared/schemas/integrity.ts';
import { checkIntegrity } from '../shared/storage/integrity/check-integrity.ts';
import { defaultLayout } from '../shared/store/catalogue/layout.ts';
import { worker } from '../shared/worker/worker.ts';

export const handler = worker(IntegrityReport, (request, deadline) =>
  checkIntegrity(request, defaultLayout, deadline, readScanPolicy()),
);
