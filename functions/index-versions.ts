import { readScanPolicy } from '../shared/config/env.ts';
import { indexVersions } from '../shared/indexing/index-versions.ts';
import { HeadStream } from '../shared/schemas/head-stream.ts';
import { worker } from '../shared/worker/worker.ts';

export const handler = worker(HeadStream, (stream, deadline) =>
  indexVersions(stream, deadline, readScanPolicy()),
);
