import * as z from 'zod';
import {
  isReadingMalwareFeed,
  isScanning,
  readMalwareFeedSettings,
  readRemovalRecalls,
  readScanPolicy,
} from '../shared/api/settings/env.ts';
import type { PackageId } from '../shared/domain/packages/package-id.ts';
import { createFindAuthorization } from '../shared/platform/auth/upstream-accounts.ts';
import { formatMessage } from '../shared/platform/worker/read-message.ts';
import { sendMessages } from '../shared/platform/worker/send-messages.ts';
import { worker } from '../shared/platform/worker/worker.ts';
import { createMalwareFeed } from '../shared/scanners/osv/malware-feed.ts';
import { chooseTarget } from '../shared/storage/catalogue/target.ts';
import { runAllRecalls } from '../shared/use-cases/recalls/run-recalls.ts';
import { runRemovals } from '../shared/use-cases/recalls/run-removals.ts';

const findAuthorization = createFindAuthorization();
const feed = createMalwareFeed({ ...readMalwareFeedSettings(), findAuthorization });

export const handler = worker(z.unknown(), async (_, deadline) => {
  const context = {
    ...{ now: new Date(), deadline, catalogue: chooseTarget() },
    scanPolicy: readScanPolicy(),
  };
  const rescan = async (ids: readonly PackageId[]): Promise<void> => {
    if (isScanning()) await sendMessages('scan', ids.map(formatMessage), deadline);
  };
  // Run in parallel, so that a feed that cannot be read does not delay the recall of removed versions.
  const work = [
    runRemovals(readRemovalRecalls(), context),
    isReadingMalwareFeed() ? runAllRecalls(feed, { ...context, rescan }) : {},
  ] as const;
  await Promise.allSettled(work);
  const [removed, malware] = await Promise.all(work);
  return { removed, ...malware };
});
