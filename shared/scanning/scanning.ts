import { readOsvSettings, readScanPolicy } from '../config/env.ts';
import type { Deadline } from '../deadline.ts';
import { createOsvClient } from '../osv/osv-client.ts';
import type { Scanning } from './scan-versions.ts';

/** Scanning as this deployment is set up. `osvDeadlineMs` is what OSV.dev may take for one batch, with all retries. */
export const prepareScanning = (deadline: Deadline, osvDeadlineMs: number): Scanning => ({
  osv: createOsvClient({ ...readOsvSettings(), deadlineMs: osvDeadlineMs }),
  policy: readScanPolicy(),
  deadline,
});
