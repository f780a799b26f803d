import { QueueEvent } from '../shared/platform/worker/events/queue-event.ts';
import { worker } from '../shared/platform/worker/worker.ts';
import { scanSubmissions } from '../shared/use-cases/scanning/scan-submissions.ts';
import { prepareScanning } from '../shared/use-cases/scanning/scanning.ts';

/** Well below the function's own time, of which writing takes the rest. */
const osvDeadlineMs = 60_000;

export const handler = worker(QueueEvent, (event, deadline) =>
  scanSubmissions(event, prepareScanning(deadline, osvDeadlineMs)),
);
