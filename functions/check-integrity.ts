import * as z from 'zod';
import { IntegrityReport } from '../shared/api/schemas/integrity.ts';
import { readIntegrityDays, readScanPolicy } from '../shared/api/settings/env.ts';
import { worker } from '../shared/platform/worker/worker.ts';
import { defaultLayout } from '../shared/storage/catalogue/layout.ts';
import { checkIntegrity } from '../shared/storage/integrity/check-integrity.ts';
import { runScheduledCheck } from '../shared/storage/integrity/run-scheduled-check.ts';
import type { Deadline } from '../shared/util/deadline.ts';

/** The event of the schedule, or the report of an operator's check so far. */
const Event = z.union([z.strictObject({ scheduled: z.literal(true) }), IntegrityReport]);

/** Time for streams to list a version, in milliseconds. Nobody waits for the scheduled check, and an alarm must be right. */
const settleMs = 5000;

const checkScheduled = (deadline: Deadline) =>
  runScheduledCheck({
    everyDays: readIntegrityDays(),
    now: new Date(),
    deadline,
    check: (request, until) =>
      checkIntegrity(request, defaultLayout, until, { scanPolicy: readScanPolicy(), settleMs }),
  });

export const handler = worker(
  Event,
  (event, deadline): Promise<unknown> =>
    'scheduled' in event
      ? checkScheduled(deadline)
      : checkIntegrity(event, defaultLayout, deadline, { scanPolicy: readScanPolicy() }),
);
