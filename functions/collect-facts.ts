import {
  isWatchingRemovals,
  readFactsHours,
  readOriginSettings,
  readOwnPackages,
  readScanPolicy,
} from '../shared/api/settings/env.ts';
import { readImageRegistries } from '../shared/api/settings/image-registries.ts';
import { readReviewPolicy } from '../shared/api/settings/review-policy.ts';
import { createOriginClient } from '../shared/ecosystems/origin-client.ts';
import { createFindCredentials } from '../shared/platform/auth/registry-credentials.ts';
import { QueueEvent } from '../shared/platform/worker/events/queue-event.ts';
import { worker } from '../shared/platform/worker/worker.ts';
import { createProvenanceCheck } from '../shared/use-cases/facts/check-provenance.ts';
import { collectFacts } from '../shared/use-cases/facts/collect-facts.ts';
import { exceptOwnPackages } from '../shared/use-cases/facts/except-own-packages.ts';
import { prepareFollowing } from '../shared/use-cases/submissions/follow-up.ts';

/** Time limit for all requests about one version, so that a batch and its writes fit into the function's time. */
const originDeadlineMs = 20_000;
/** Time limit for the requests about one added dependency, or about the attestations of one version. */
const furtherDeadlineMs = 5_000;

const rules = readReviewPolicy();
const findCredentials = createFindCredentials();

export const handler = worker(QueueEvent, (event, deadline) => {
  const imageRegistries = readImageRegistries();
  const settings = { ...readOriginSettings(), imageRegistries, findCredentials };
  const client = createOriginClient({ ...settings, deadlineMs: originDeadlineMs });
  const { collectFacts: ask, fetchPackageList } = client;
  const further = createOriginClient({ ...settings, deadlineMs: furtherDeadlineMs });
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
