import { readOsvSettings, readScanPolicy } from '../../api/settings/env.ts';
import { createFindAuthorization } from '../../platform/auth/upstream-accounts.ts';
import { createOsvClient } from '../../scanners/osv/osv-client.ts';
import type { Deadline } from '../../util/deadline.ts';
import type { Scanning } from './scan-versions.ts';

/** Returns the scan dependencies from this deployment's settings. `osvDeadlineMs` limits one batch, with all retries. */
export const prepareScanning = (deadline: Deadline, osvDeadlineMs: number): Scanning => ({
  osv: createOsvClient({
    ...readOsvSettings(),
    findAuthorization: createFindAuthorization(),
    deadlineMs: osvDeadlineMs,
  }),
  policy: readScanPolicy(),
  deadline,
});
