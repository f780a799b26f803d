import { readFactsHours, readOriginSettings, readScanPolicy } from '../shared/config/env.ts';
import { collectFacts } from '../shared/facts/collect-facts.ts';
import { createOriginClient } from '../shared/origins/origin-client.ts';
import { QueueEvent } from '../shared/schemas/queue-event.ts';
import { worker } from '../shared/worker/worker.ts';

/** What one version may take with all its requests: a batch fits into the function's time, and leaves some for writing. */
const originDeadlineMs = 20_000;

export const handler = worker(QueueEvent, (event, deadline) => {
  const client = createOriginClient({ ...readOriginSettings(), deadlineMs: originDeadlineMs });
  return collectFacts(event, {
    ask: (id) => client.collectFacts(id),
    policy: readScanPolicy(),
    everyHours: readFactsHours(),
    deadline,
  });
});
