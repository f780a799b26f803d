import { scanSubmissions } from '../shared/scanning/scan-submissions.ts';
import { prepareScanning } from '../shared/scanning/scanning.ts';
import { StreamEvent } from '../shared/schemas/stream.ts';
import { worker } from '../shared/worker/worker.ts';

/** Well below the function's own time, of which writing takes the rest. */
const osvDeadlineMs = 30_000;

export const handler = worker(StreamEvent, (event, deadline) =>
  scanSubmissions(event, prepareScanning(deadline, osvDeadlineMs)),
);
