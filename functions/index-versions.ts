import { readScanPolicy } from '../shared/api/settings/env.ts';
import { ReviewStateStream } from '../shared/platform/worker/events/head-stream.ts';
import { worker } from '../shared/platform/worker/worker.ts';
import { indexVersions } from '../shared/use-cases/catalogue/index-versions.ts';

export const handler = worker(ReviewStateStream, (stream, deadline) =>
  indexVersions(stream, deadline, readScanPolicy()),
);
