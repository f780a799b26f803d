import { scanSubmissions } from '../shared/scanning/scan-submissions.ts';
import { scanningBy } from '../shared/scanning/scanning.ts';
import { StreamEvent } from '../shared/schemas/stream.ts';
import { worker } from '../shared/worker/worker.ts';

export const handler = worker(StreamEvent, (event, deadline) =>
  scanSubmissions(event, scanningBy(deadline)),
);
