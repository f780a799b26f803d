import { osvSettings, scanPolicy } from '../config/env.ts';
import { createOsvClient } from '../osv/osv-client.ts';
import type { Deadline } from '../store/transact.ts';
import type { Scanning } from './scan-versions.ts';

/** Scanning as this deployment is set up. */
export const scanningBy = (deadline: Deadline): Scanning => ({
  osv: createOsvClient(osvSettings()),
  policy: scanPolicy(),
  deadline,
});
