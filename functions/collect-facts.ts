import {
  isWatchingRemovals,
  readFactsHours,
  readOriginSettings,
  readOwnPackages,
  readScanPolicy,
} from '../shared/api/settings/env.ts';
import type { CollectedFacts } from '../shared/domain/facts/collected-facts.ts';
import { isOwnPackage } from '../shared/domain/packages/own-packages.ts';
import { toUnknownFacts } from '../shared/ecosystems/origin/upstream-answer.ts';
import { createOriginClient } from '../shared/ecosystems/origin-client.ts';
import { QueueEvent } from '../shared/platform/worker/events/queue-event.ts';
import { worker } from '../shared/platform/worker/worker.ts';
import { collectFacts } from '../shared/use-cases/facts/collect-facts.ts';

/** Time limit for all requests about one version, so that a batch and its writes fit into the function's time. */
const originDeadlineMs = 20_000;

/** Time limit for the requests about one added dependency. */
const dependencyDeadlineMs = 5_000;

/** Facts of a version that was submitted before its name became one of the own packages. */
const unaskedFacts: CollectedFacts = {
  facts: toUnknownFacts(
    'It is one of your own packages: the registry sends no request about it to a public origin.',
  ),
  manifest: null,
};

export const handler = worker(QueueEvent, (event, deadline) => {
  const settings = readOriginSettings();
  const client = createOriginClient({ ...settings, deadlineMs: originDeadlineMs });
  const dependencies = createOriginClient({ ...settings, deadlineMs: dependencyDeadlineMs });
  const own = readOwnPackages();
  return collectFacts(event, {
    ask: async (id) => (isOwnPackage(own, id) ? unaskedFacts : client.collectFacts(id)),
    findFirstPublication: async (id) =>
      isOwnPackage(own, id) ? undefined : dependencies.findFirstPublication(id),
    policy: readScanPolicy(),
    everyHours: readFactsHours(),
    watchesRemovals: isWatchingRemovals(),
    deadline,
  });
});
