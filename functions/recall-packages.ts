import * as z from 'zod';
import { readMalwareFeedSettings, readScanPolicy } from '../shared/api/settings/env.ts';
import { worker } from '../shared/platform/worker/worker.ts';
import { createMalwareFeed } from '../shared/scanners/osv/malware-feed.ts';
import { chooseTarget } from '../shared/storage/catalogue/target.ts';
import { runAllRecalls } from '../shared/use-cases/recalls/run-recalls.ts';

const feed = createMalwareFeed(readMalwareFeedSettings());

export const handler = worker(z.unknown(), (_, deadline) =>
  runAllRecalls(feed, {
    ...{ now: new Date(), deadline, catalogue: chooseTarget() },
    scanPolicy: readScanPolicy(),
  }),
);
