import * as z from 'zod';
import { readScanPolicy } from '../shared/config/env.ts';
import { runDueWork } from '../shared/review/run-due-work.ts';
import { worker } from '../shared/worker/worker.ts';

export const handler = worker(z.unknown(), (_, deadline) =>
  runDueWork({ now: new Date(), deadline, policy: readScanPolicy() }),
);
