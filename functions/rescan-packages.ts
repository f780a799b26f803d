import * as z from 'zod';
import { readRescanHours } from '../shared/api/settings/env.ts';
import { worker } from '../shared/platform/worker/worker.ts';
import { rescan } from '../shared/use-cases/scanning/rescan.ts';
import { prepareScanning } from '../shared/use-cases/scanning/scanning.ts';

/** Time limit of OSV.dev for one batch: a hundred versions may need a thousand records. */
const osvDeadlineMs = 120_000;

export const handler = worker(z.unknown(), (_, deadline) =>
  rescan(
    { everyHours: readRescanHours(), now: new Date() },
    prepareScanning(deadline, osvDeadlineMs),
  ),
);
