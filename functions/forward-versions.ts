import { isCollectingFacts, isScanning } from '../shared/config/env.ts';
import { forwardVersions } from '../shared/forwarding/forward-versions.ts';
import { NewVersionsEvent } from '../shared/schemas/new-versions-event.ts';
import { worker } from '../shared/worker/worker.ts';

export const handler = worker(NewVersionsEvent, (event, deadline) =>
  forwardVersions(event, { scans: isScanning(), facts: isCollectingFacts() }, deadline),
);
