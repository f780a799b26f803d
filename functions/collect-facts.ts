import {
  isWatchingRemovals,
  readFactsHours,
  readOwnPackages,
  readScanPolicy,
} from '../shared/api/settings/env.ts';
import { readReviewPolicy } from '../shared/api/settings/review-policy.ts';
import { QueueEvent } from '../shared/platform/worker/events/queue-event.ts';
import { worker } from '../shared/platform/worker/worker.ts';
import { createProvenanceCheck } from '../shared/use-cases/facts/check-provenance.ts';
import { collectFacts } from '../shared/use-cases/facts/collect-facts.ts';
import { exceptOwnPackages } from '../shared/use-cases/facts/except-own-packages.ts';
import { createOriginClients } from '../shared/use-cases/facts/origin-clients.ts';
import { prepareFollowing } from '../shared/use-cases/submissions/follow-up.ts';

const rules = readReviewPolicy();

export const handler = worker(QueueEvent, (event, deadline) => {
  const { versions, further } = createOriginClients();
  const { collectFacts: ask, fetchPackageList } = versions;
  return collectFacts(event, {
    ...exceptOwnPackages(readOwnPackages(), { ...further, ask, fetchPackageList }),
    // Own packages have no files here, so that nothing is requested about them.
    checkProvenance: createProvenanceCheck({ client: further, deadline }),
    policy: readScanPolicy(),
    everyHours: readFactsHours(),
    watchesRemovals: isWatchingRemovals(),
    ...prepareFollowing(rules, deadline),
    deadline,
  });
});
