import * as z from 'zod';
import type { QueueId } from '../shared/api/resources.ts';
import { readOwnInquiries, readScanPolicy } from '../shared/api/settings/env.ts';
import { readReviewPolicy } from '../shared/api/settings/review-policy.ts';
import { sendMessages } from '../shared/platform/worker/send-messages.ts';
import { worker } from '../shared/platform/worker/worker.ts';
import { compactCounters } from '../shared/storage/catalogue/compact-counters.ts';
import { runDueWork } from '../shared/use-cases/due-work/run-due-work.ts';
import { sweepAttention } from '../shared/use-cases/due-work/sweep-attention.ts';
import { refreshFacts } from '../shared/use-cases/facts/refresh-facts.ts';
import { startDuePolicyRun } from '../shared/use-cases/policy/continue-policy-run.ts';

const policy = readReviewPolicy();

export const handler = worker(z.unknown(), async (_, deadline) => {
  const context = { now: new Date(), deadline, policy: readScanPolicy() };
  const inquiries = readOwnInquiries();
  const sendTo = (queue: QueueId, bodies: readonly string[]) =>
    sendMessages(queue, bodies, deadline);
  const renewal = { inquiries, send: (queue: QueueId, body: string) => sendTo(queue, [body]) };
  const send = (bodies: readonly string[]) => sendTo('facts', bodies);
  // Run in parallel, so that no work delays another or hides its failure.
  const work = [
    runDueWork({ ...context, renewal }),
    sweepAttention(context),
    compactCounters(context),
    startDuePolicyRun(policy, context.now),
    inquiries.isCollectingFacts ? refreshFacts({ ...context, send }) : 0,
  ] as const;
  await Promise.allSettled(work);
  const [due] = await Promise.all(work);
  return due;
});
