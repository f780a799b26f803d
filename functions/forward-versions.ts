import { isCollectingFacts, isScanning } from '../shared/api/settings/env.ts';
import { NewVersionsEvent } from '../shared/platform/worker/events/new-versions-event.ts';
import { worker } from '../shared/platform/worker/worker.ts';
import { forwardVersions } from '../shared/use-cases/outbox/forward-versions.ts';

export const handler = worker(NewVersionsEvent, (event, deadline) =>
  forwardVersions(event, { scans: isScanning(), facts: isCollectingFacts() }, deadline),
);
