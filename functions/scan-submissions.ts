import { QueueEvent } from '../shared/platform/worker/events/queue-event.ts';
import { worker } from '../shared/platform/worker/worker.ts';
import { scanSubmissions } from '../shared/use-cases/scanning/scan-submissions.ts';
import { prepareScanning } from '../shared/use-cases/scanning/scanning.ts';

/** Time limit of OSV.dev for one batch, well below the function's timeout, to leave time for writes. */
const osvDeadlineMs = 60_000;

export const handler = worker(QueueEvent, (event, deadline) =>
  scanSubmissions(event, prepareScanning(deadline, osvDeadlineMs)),
);
