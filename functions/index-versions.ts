import { readScanPolicy } from '../shared/api/settings/env.ts';
import { HeadStream } from '../shared/platform/worker/events/head-stream.ts';
import { worker } from '../shared/platform/worker/worker.ts';
import { indexVersions } from '../shared/use-cases/catalogue/index-versions.ts';

export const handler = worker(HeadStream, (stream, deadline) =>
  indexVersions(stream, deadline, readScanPolicy()),
);
