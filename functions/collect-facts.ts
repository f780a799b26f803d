import { readFactsHours, readOriginSettings, readScanPolicy } from '../shared/api/settings/env.ts';
import { createOriginClient } from '../shared/ecosystems/origin-client.ts';
import { QueueEvent } from '../shared/platform/worker/events/queue-event.ts';
import { worker } from '../shared/platform/worker/worker.ts';
import { collectFacts } from '../shared/use-cases/facts/collect-facts.ts';

/** Time limit for all requests about one version, so that a batch and its writes fit into the function's time. */
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
