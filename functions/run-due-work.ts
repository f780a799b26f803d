import * as z from 'zod';
import { isCollectingFacts, readFactsHours, readScanPolicy } from '../shared/config/env.ts';
import { askAgain } from '../shared/facts/ask-again.ts';
import { sendMessages } from '../shared/queues/send-messages.ts';
import { runDueWork } from '../shared/review/run-due-work.ts';
import { sweepAttention } from '../shared/review/sweep-attention.ts';
import { foldCounters } from '../shared/store/catalogue/fold-counters.ts';
import { worker } from '../shared/worker/worker.ts';

export const handler = worker(z.unknown(), async (_, deadline) => {
  const context = { now: new Date(), deadline, policy: readScanPolicy() };
  const send = (bodies: readonly string[]) => sendMessages('facts', bodies, deadline);
  // What is due must not wait for the other, nor hide that it failed.
  const work = [
    runDueWork(context),
    sweepAttention(context),
    foldCounters(context),
    isCollectingFacts() ? askAgain({ ...context, everyHours: readFactsHours(), send }) : 0,
  ] as const;
  await Promise.allSettled(work);
  const [due] = await Promise.all(work);
  return due;
});
