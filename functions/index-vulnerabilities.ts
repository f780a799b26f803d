import { readScanPolicy } from '../shared/config/env.ts';
import { HeadStream } from '../shared/schemas/head-stream.ts';
import { indexVulnerabilities } from '../shared/vulnerabilities/index-vulnerabilities.ts';
import { worker } from '../shared/worker/worker.ts';

export const handler = worker(HeadStream, (stream, deadline) =>
  indexVulnerabilities(stream, deadline, readScanPolicy()),
);
