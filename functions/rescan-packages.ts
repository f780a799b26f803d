import * as z from 'zod';
import { readRescanHours } from '../shared/config/env.ts';
import { rescan } from '../shared/scanning/rescan.ts';
import { prepareScanning } from '../shared/scanning/scanning.ts';
import { worker } from '../shared/worker/worker.ts';

/** A batch of a hundred versions may need a thousand records. */
const osvDeadlineMs = 120_000;

export const handler = worker(z.unknown(), (_, deadline) =>
  rescan(
    { everyHours: readRescanHours(), now: new Date() },
    prepareScanning(deadline, osvDeadlineMs),
  ),
);
