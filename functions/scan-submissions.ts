import { scanSubmissions } from '../shared/scanning/scan-submissions.ts';
import { prepareScanning } from '../shared/scanning/scanning.ts';
import { QueueEvent } from '../shared/schemas/queue-event.ts';
import { worker } from '../shared/worker/worker.ts';

/** Well below the function's own time, of which writing takes the rest. */
const osvDeadlineMs = 60_000;

export const handler = worker(QueueEvent, (event, deadline) =>
  scanSubmissions(event, prepareScanning(deadline, osvDeadlineMs)),
);
