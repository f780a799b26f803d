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
  const [due, swept, folded, asked] = await Promise.allSettled([
    runDueWork(context),
    sweepAttention(context),
    foldCounters(context),
    isCollectingFacts() ? askAgain({ ...context, everyHours: readFactsHours(), send }) : 0,
  ]);
  if (due.status === 'rejected') throw due.reason;
  if (swept.status === 'rejected') throw swept.reason;
  if (folded.status === 'rejected') throw folded.reason;
  if (asked.status === 'rejected') throw asked.reason;
  return due.value;
});
