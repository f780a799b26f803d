import { osvSettings, scanPolicy } from '../config/env.ts';
import { createOsvClient } from '../osv/osv-client.ts';
import type { Deadline } from '../store/transact.ts';
import type { Scanning } from './scan-versions.ts';

/** Scanning as this deployment is set up. `osvDeadlineMs` is what OSV.dev may take for one batch, with all retries. */
export const scanningBy = (deadline: Deadline, osvDeadlineMs: number): Scanning => ({
  osv: createOsvClient({ ...osvSettings(), deadlineMs: osvDeadlineMs }),
  policy: scanPolicy(),
  deadline,
});
